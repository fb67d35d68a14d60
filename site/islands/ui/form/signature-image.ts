/** Every signature has this height in CSS pixels, and dark ink on white paper, so that it is readable everywhere. */
export const PAD_HEIGHT = 150;
export const INK_COLOR = '#13221d';
const PAPER_COLOR = '#ffffff';

const MAX_WIDTH = 1000;
const SCRIPT_FONTS = '"Snell Roundhand", "Segoe Script", "Bradley Hand", "URW Chancery L", "Apple Chancery", cursive';

function createCanvas(width: number) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(MAX_WIDTH, Math.max(1, Math.round(width)));
  canvas.height = PAD_HEIGHT;
  return canvas;
}

function fillPaper(context: CanvasRenderingContext2D, width: number) {
  context.fillStyle = PAPER_COLOR;
  context.fillRect(0, 0, width, PAD_HEIGHT);
}

/** Copies the canvas, which uses device pixels, into an image with one pixel per CSS pixel. */
export function imageOfDrawing(pad: HTMLCanvasElement): string {
  const canvas = createCanvas(pad.clientWidth);
  const context = canvas.getContext('2d');
  if (context) {
    fillPaper(context, canvas.width);
    context.imageSmoothingQuality = 'high';
    context.drawImage(pad, 0, 0, canvas.width, canvas.height);
  }
  return canvas.toDataURL('image/png');
}

export function imageOfName(name: string, width: number): string {
  const canvas = createCanvas(width);
  drawName(canvas, name, 1);
  return canvas.toDataURL('image/png');
}

/** Writes the name on the baseline, as large as the width allows. */
export function drawName(canvas: HTMLCanvasElement, name: string, ratio: number) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const width = canvas.width / ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  fillPaper(context, width);
  context.fillStyle = INK_COLOR;
  const margin = 24;
  let fontSize = 56;
  const fits = () => {
    context.font = `italic 400 ${fontSize}px ${SCRIPT_FONTS}`;
    return context.measureText(name).width <= width - 2 * margin;
  };
  while (!fits() && fontSize > 12) fontSize -= 2;
  context.fillText(name, margin, PAD_HEIGHT - 44, width - 2 * margin);
}
