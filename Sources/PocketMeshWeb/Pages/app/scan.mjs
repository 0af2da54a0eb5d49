// Codes of channels and contacts: whether a browser reads them, and which of their texts is an address.

/** What this browser can read codes from, with words for what it cannot. */
export async function support(window) {
  const formats = await window.BarcodeDetector?.getSupportedFormats().catch(() => []) ?? [];
  const readsCodes = formats.includes("qr_code");
  const hasCamera = readsCodes && Boolean(window.navigator?.mediaDevices?.getUserMedia);
  let words = "";
  if (!readsCodes) words = "This browser cannot read codes. Read the code with a telephone, and paste the address that it shows.";
  else if (!hasCamera) words = "This page cannot reach a camera: that takes HTTPS, or a browser on the same machine. Choose a picture of the code, or paste its address.";
  return { readsCodes, hasCamera, words };
}

/** The address among the texts of the codes that were seen; null where none is one of ours. */
export function address(texts) {
  return texts.map((text) => text.trim()).find((text) => /^meshcore:\/\//i.test(text)) ?? null;
}

/** Reads a picture or a moment of the camera: the address in it, or how many codes there were without one. */
export async function look(detector, source) {
  const codes = await detector.detect(source);
  return { uri: address(codes.map((code) => code.rawValue)), count: codes.length };
}

/** Why a camera does not start. */
export function cameraWords(error) {
  return { NotAllowedError: "The camera was not allowed.", NotFoundError: "No camera was found.", NotReadableError: "Another program uses the camera." }[error?.name]
    ?? `The camera does not start: ${error?.message ?? error}`;
}
