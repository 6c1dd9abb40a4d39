import jsQR from 'jsqr';

/**
 * Shows the camera's picture in a video element, and calls `onText` with the text of each QR code. Returns a function
 * that stops the camera. Throws if there is no camera.
 */
export async function scanQrCodes(video: HTMLVideoElement, onText: (text: string) => void): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  video.srcObject = stream;
  await video.play();
  const canvas = document.createElement('canvas');
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  const look = () => {
    const { videoWidth: width, videoHeight: height } = video;
    if (!drawing || width === 0) return;
    canvas.width = width;
    canvas.height = height;
    drawing.drawImage(video, 0, 0);
    const found = jsQR(drawing.getImageData(0, 0, width, height).data, width, height);
    if (found) onText(found.data);
  };
  const timer = setInterval(look, 250);
  return () => {
    clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
  };
}
