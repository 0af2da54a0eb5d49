// The C library's declarations stay those of its own module: files that import that one alone would miss them otherwise.
#if __has_include(<SwiftGlibc.h>)
#include <SwiftGlibc.h>
#endif
#include <stdlib.h>
#include <sys/ioctl.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>

// The library lists adapters that have a flag, not all; and Swift has no macros that compute a request's number.
//
// Fills in what the kernel tells of up to `capacity` adapters, and returns their number: -1 where it tells nothing, with errno.
static inline int CBluetooth_list(int socket, struct hci_dev_req *adapters, uint16_t capacity) {
    struct hci_dev_list_req *list = calloc(1, sizeof(*list) + capacity * sizeof(*adapters));
    if (!list) return -1;
    list->dev_num = capacity;
    int count = -1;
    if (ioctl(socket, HCIGETDEVLIST, list) >= 0) {
        count = list->dev_num < capacity ? list->dev_num : capacity;
        memcpy(adapters, list->dev_req, count * sizeof(*adapters));
    }
    free(list);
    return count;
}
