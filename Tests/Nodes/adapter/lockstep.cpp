// Drives the class of the article ExternalNodes as a dispatcher does: lockstep PORT HEX. Sends the packet every ten seconds,
// and prints each packet that it hears with its time, SNR and RSSI, until the run ends.
#include <cstdio>
#include <cstring>

#include "LockstepRadio.h"

static int unhex(const char* text, uint8_t* bytes, int most) {
  int count = 0;
  for (unsigned value; count < most && sscanf(text + 2 * count, "%2x", &value) == 1; count++) bytes[count] = uint8_t(value);
  return count;
}

int main(int, char** argv) {
  LockstepRadio radio("127.0.0.1", argv[1]);
  mesh::Radio& abstract = radio;
  mesh::MillisecondClock& clock = radio;
  abstract.begin();
  uint8_t packet[255], bytes[255];
  const int size = unhex(argv[2], packet, sizeof packet);
  unsigned long due = 10000, begun = 0;
  bool isSending = false;
  int sent = 0;
  while (radio.next()) {
    if (isSending && abstract.isSendComplete()) {
      abstract.onSendFinished();
      isSending = false;
      sent++;
      const long took = long(clock.getMillis() - begun), reckoned = long(abstract.getEstAirtimeFor(size));
      if (took < reckoned || took > reckoned + 2) return 3;
    }
    if (!isSending && clock.getMillis() >= due && !abstract.isReceiving()) {
      if (!abstract.startSendRaw(packet, size) || abstract.startSendRaw(packet, size) || abstract.isInRecvMode()) return 4;
      isSending = true;
      begun = clock.getMillis();
      due += 10000;
    }
    for (int length; (length = abstract.recvRaw(bytes, sizeof bytes)) > 0;) {
      printf("%lu heard ", clock.getMillis());
      for (int i = 0; i < length; i++) printf("%02x", bytes[i]);
      printf(" snr %.2f rssi %.0f score %.3f\n", abstract.getLastSNR(), abstract.getLastRSSI(),
             abstract.packetScore(abstract.getLastSNR(), length));
    }
    radio.answer(1);
  }
  printf("sent %d\n", sent);
  return sent > 0 ? 0 : 5;
}
