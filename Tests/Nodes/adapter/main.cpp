// Drives the adapter of the article YourFirmware as a dispatcher does: main PORT [HEX]. Sends the packet, if there is one; then
// prints each packet that it hears, with SNR, RSSI and airtime, until standard input ends.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ModemRadio.h"

static int unhex(const char* text, uint8_t* bytes, int most) {
  int count = 0;
  for (unsigned value; count < most && sscanf(text + 2 * count, "%2x", &value) == 1; count++) bytes[count] = uint8_t(value);
  return count;
}

int main(int argc, char** argv) {
  ModemRadio radio("127.0.0.1", argv[1]);
  mesh::Radio& abstract = radio;
  abstract.begin();
  if (!radio.isConnected()) return 2;
  uint8_t bytes[255];
  if (argc > 2) {
    const int length = unhex(argv[2], bytes, sizeof bytes);
    if (!abstract.startSendRaw(bytes, length) || abstract.startSendRaw(bytes, length) || abstract.isInRecvMode()) return 3;
    while (!abstract.isSendComplete()) {
      if (!radio.isConnected()) return 4;
      abstract.loop();
    }
    abstract.onSendFinished();
    if (!abstract.isInRecvMode()) return 5;
    printf("sent %d bytes, reckoned %u ms\n", length, abstract.getEstAirtimeFor(length));
    fflush(stdout);
  }
  for (;;) {
    abstract.loop();
    if (!radio.isConnected()) return 6;
    const int length = abstract.recvRaw(bytes, sizeof bytes);
    if (length > 0) {
      printf("heard ");
      for (int i = 0; i < length; i++) printf("%02x", bytes[i]);
      printf(" snr %.2f rssi %.0f score %.3f floor %d\n", abstract.getLastSNR(), abstract.getLastRSSI(),
             abstract.packetScore(abstract.getLastSNR(), length), abstract.getNoiseFloor());
      fflush(stdout);
    }
    pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, 1) > 0 && read(0, bytes, sizeof bytes) == 0) return 0;
  }
}
