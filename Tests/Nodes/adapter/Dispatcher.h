// A stand-in for the firmware's header of this name: clock and radio class as a dispatcher calls them, and nothing else.
#pragma once

#include <cstdint>

namespace mesh {

class MillisecondClock {
public:
  virtual ~MillisecondClock() = default;
  virtual unsigned long getMillis() = 0;
};

class Radio {
public:
  virtual ~Radio() = default;
  virtual void begin() {}
  virtual int recvRaw(uint8_t* bytes, int sz) = 0;
  virtual uint32_t getEstAirtimeFor(int len_bytes) = 0;
  virtual float packetScore(float snr, int packet_len) = 0;
  virtual bool startSendRaw(const uint8_t* bytes, int len) = 0;
  virtual bool isSendComplete() = 0;
  virtual void onSendFinished() = 0;
  virtual void loop() {}
  virtual int getNoiseFloor() const { return 0; }
  virtual void triggerNoiseFloorCalibrate(int threshold) { (void)threshold; }
  virtual void setCADEnabled(bool enable) { (void)enable; }
  virtual void resetAGC() {}
  virtual bool isInRecvMode() const = 0;
  virtual bool isReceiving() { return false; }
  virtual float getLastRSSI() const { return 0; }
  virtual float getLastSNR() const { return 0; }
};

}  // namespace mesh
