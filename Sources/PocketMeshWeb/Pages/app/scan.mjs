// Codes of channels and contacts: whether a browser reads them, and which of their texts is an address.

import { text } from "./texts.mjs";

/** What this browser can read codes from, with words for what it cannot. */
export async function support(window) {
  const formats = await window.BarcodeDetector?.getSupportedFormats().catch(() => []) ?? [];
  const readsCodes = formats.includes("qr_code");
  const hasCamera = readsCodes && Boolean(window.navigator?.mediaDevices?.getUserMedia);
  let words = "";
  if (!readsCodes) words = text("pageScanNoCodes");
  else if (!hasCamera) words = text("pageScanNoCamera");
  return { readsCodes, hasCamera, words };
}

/** The address among the texts of the codes that were seen; null where none is one of ours. */
export function address(texts) {
  return texts.map((one) => one.trim()).find((one) => /^meshcore:\/\//i.test(one)) ?? null;
}

/** Reads a picture or a moment of the camera: the address in it, or how many codes there were without one. */
export async function look(detector, source) {
  const codes = await detector.detect(source);
  return { uri: address(codes.map((code) => code.rawValue)), count: codes.length };
}

/** Why a camera does not start. */
export function cameraWords(error) {
  const key = { NotAllowedError: "pageCameraDenied", NotFoundError: "pageCameraMissing", NotReadableError: "pageCameraBusy" }[error?.name];
  return key ? text(key) : text("pageCameraFails", error?.message ?? error);
}
