#define _GNU_SOURCE
#include "CBluetooth.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
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
    bdaddr_t read;
    if (str2ba(text, &read) < 0) return -1;
    memcpy(address, read.b, sizeof(read.b));
    return 0;
}

void bluetooth_print_address(const uint8_t *address, char *text) {
    bdaddr_t printed;
    memcpy(printed.b, address, sizeof(printed.b));
    ba2str(&printed, text);
}

// The library lists adapters that have a flag, and we want all.
int32_t bluetooth_list_adapters(struct bluetooth_adapter *adapters, uint16_t capacity) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (descriptor < 0) return -1;
    struct hci_dev_list_req *list = calloc(1, sizeof(*list) + capacity * sizeof(list->dev_req[0]));
    int32_t count = 0;
    if (list) {
        list->dev_num = capacity;
        if (ioctl(descriptor, HCIGETDEVLIST, list) >= 0) count = list->dev_num < capacity ? list->dev_num : capacity;
        for (int32_t index = 0; index < count; index++) {
            struct hci_dev_info information;
            adapters[index] = (struct bluetooth_adapter){list->dev_req[index].dev_id, list->dev_req[index].dev_opt, {0}};
            if (hci_devinfo(adapters[index].index, &information) == 0)
                memcpy(adapters[index].address, information.bdaddr.b, sizeof(adapters[index].address));
        }
        free(list);
    }
    close(descriptor);
    return count;
}

int32_t bluetooth_is_up(uint32_t flags) { return hci_test_bit(HCI_UP, &flags) != 0; }

uint32_t bluetooth_name_user_channel(uint16_t adapter, uint8_t *name) {
    struct sockaddr_hci made = {.hci_family = AF_BLUETOOTH, .hci_dev = adapter, .hci_channel = HCI_CHANNEL_USER};
    memcpy(name, &made, sizeof(made));
    return sizeof(made);
}

uint32_t bluetooth_name_channel(const uint8_t *address, int32_t is_random, uint16_t channel, uint8_t *name) {
    struct sockaddr_l2 made;
    memset(&made, 0, sizeof(made));
    made.l2_family = AF_BLUETOOTH;
    made.l2_cid = htobs(channel);
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
