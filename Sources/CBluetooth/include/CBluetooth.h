#pragma once
#include <stdint.h>

// What we need of the kernel's Bluetooth, with the structures and numbers of BlueZ's headers. None of these is shown: they show
// structures of the C library once more, and Swift then cannot name these in every compilation.

/// The characters of an address as text.
enum { bluetooth_address_length = 17 };

/// Reads an address as text into six bytes, the lowest first: 0, or -1 where it is none.
int32_t bluetooth_read_address(const char *_Nonnull text, uint8_t *_Nonnull address);

/// Prints such an address into 18 bytes, the last of which is zero.
void bluetooth_print_address(const uint8_t *_Nonnull address, char *_Nonnull text);

/// An adapter, as the kernel tells of it.
struct bluetooth_adapter {
    uint16_t index;
    /// The flags of the kernel.
    uint32_t flags;
    /// Its address, the lowest byte first; zeros where it has none, or none is told.
    uint8_t address[6];
};

/// Fills in what the kernel tells of up to so many adapters, and returns their number: -1 with errno where it has no sockets
/// for them.
int32_t bluetooth_list_adapters(struct bluetooth_adapter *_Nonnull adapters, uint16_t capacity);

/// Whether the flags of an adapter say that it is switched on: 1, else 0.
int32_t bluetooth_is_up(uint32_t flags);

/// The numbers of socket(2), behind AF_BLUETOOTH, for packets of adapters and for channels on connections.
extern const int32_t bluetooth_protocol_hci, bluetooth_protocol_l2cap;

/// Names of sockets for bind(2) and accept(2) have so many bytes at most.
enum { bluetooth_name_capacity = 32 };

/// Writes the name of the exclusive way to an adapter, its user channel; its length.
uint32_t bluetooth_name_user_channel(uint16_t adapter, uint8_t *_Nonnull name);

/// Writes the name of a channel at a low-energy address, its lowest byte first, public or random; its length.
uint32_t bluetooth_name_channel(
    const uint8_t *_Nonnull address, int32_t is_random, uint16_t channel, uint8_t *_Nonnull name);

/// Reads the address out of such a name, and returns whether it is a random one: 1, else 0.
int32_t bluetooth_read_name(const uint8_t *_Nonnull name, uint8_t *_Nonnull address);

/// The levels of protection that a socket may tell, from encrypted to encrypted by Secure Connections with a passkey.
extern const uint8_t bluetooth_security_medium, bluetooth_security_high, bluetooth_security_fips;

/// Asks a socket for the level and for the bytes of the key that encrypts: 0, or -1 with errno.
int32_t bluetooth_read_security(int32_t descriptor, uint8_t *_Nonnull level, uint8_t *_Nonnull key_size);
