#define _GNU_SOURCE
#include "CBluetooth.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

const int32_t bluetooth_protocol_hci = BTPROTO_HCI, bluetooth_protocol_l2cap = BTPROTO_L2CAP;
const uint8_t bluetooth_security_medium = BT_SECURITY_MEDIUM, bluetooth_security_high = BT_SECURITY_HIGH,
              bluetooth_security_fips = BT_SECURITY_FIPS;

_Static_assert(sizeof(struct sockaddr_hci) <= bluetooth_name_capacity, "the name of an adapter");
_Static_assert(sizeof(struct sockaddr_l2) <= bluetooth_name_capacity, "the name of a channel");

int32_t bluetooth_read_address(const char *text, uint8_t *address) {
    uint8_t read[6];
    int end = 0;
    // The scanner would take blanks and signs before a number.
    if (strspn(text, "0123456789abcdefABCDEF:") != strlen(text)) return -1;
    if (sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &read[5], &read[4], &read[3], &read[2], &read[1], &read[0],
               &end) != 6 || end != bluetooth_address_length || text[end] != 0)
        return -1;
    memcpy(address, read, sizeof(read));
    return 0;
}

void bluetooth_print_address(const uint8_t *address, char *text) {
    snprintf(text, bluetooth_address_length + 1, "%02X:%02X:%02X:%02X:%02X:%02X", address[5], address[4], address[3],
             address[2], address[1], address[0]);
}

int32_t bluetooth_list_adapters(struct bluetooth_adapter *adapters, uint16_t capacity) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (descriptor < 0) return -1;
    struct hci_dev_list_req *list = calloc(1, sizeof(*list) + capacity * sizeof(list->dev_req[0]));
    int32_t count = 0;
    if (list) {
        list->dev_num = capacity;
        if (ioctl(descriptor, HCIGETDEVLIST, list) >= 0) count = list->dev_num < capacity ? list->dev_num : capacity;
        for (int32_t index = 0; index < count; index++) {
            struct hci_dev_info information = {.dev_id = list->dev_req[index].dev_id};
            adapters[index] = (struct bluetooth_adapter){list->dev_req[index].dev_id, list->dev_req[index].dev_opt, {0}};
            if (ioctl(descriptor, HCIGETDEVINFO, &information) >= 0)
                memcpy(adapters[index].address, information.bdaddr.b, sizeof(adapters[index].address));
        }
        free(list);
    }
    close(descriptor);
    return count;
}

int32_t bluetooth_is_up(uint32_t flags) { return (flags >> HCI_UP & 1) != 0; }

uint32_t bluetooth_name_user_channel(uint16_t adapter, uint8_t *name) {
    struct sockaddr_hci made = {.hci_family = AF_BLUETOOTH, .hci_dev = adapter, .hci_channel = HCI_CHANNEL_USER};
    memcpy(name, &made, sizeof(made));
    return sizeof(made);
}

uint32_t bluetooth_name_channel(const uint8_t *address, int32_t is_random, uint16_t channel, uint8_t *name) {
    struct sockaddr_l2 made;
    memset(&made, 0, sizeof(made));
    made.l2_family = AF_BLUETOOTH;
    made.l2_cid = htole16(channel);
    made.l2_bdaddr_type = is_random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC;
    memcpy(made.l2_bdaddr.b, address, sizeof(made.l2_bdaddr.b));
    memcpy(name, &made, sizeof(made));
    return sizeof(made);
}

int32_t bluetooth_read_name(const uint8_t *name, uint8_t *address) {
    struct sockaddr_l2 read;
    memcpy(&read, name, sizeof(read));
    memcpy(address, read.l2_bdaddr.b, sizeof(read.l2_bdaddr.b));
    return read.l2_bdaddr_type == BDADDR_LE_RANDOM;
}

int32_t bluetooth_read_security(int32_t descriptor, uint8_t *level, uint8_t *key_size) {
    struct bt_security security = {0};
    socklen_t length = sizeof(security);
    if (getsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &security, &length) < 0) return -1;
    *level = security.level;
    *key_size = security.key_size;
    return 0;
}
