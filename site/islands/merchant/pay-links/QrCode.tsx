import encodeQR from 'qr';
import '#site/styles/areas/merchant/lists/qr.css';

/** The width of the quiet zone around the code, in modules. Readers need four. */
const QUIET_ZONE = 4;

/** A QR code. It is dark on a light ground in both themes, since phones cannot read it otherwise. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])));
  const size = rows.length;
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path className="qr-ground" d={`M0 0h${size}v${size}H0z`} />
      <path className="qr-ink" d={squares.join('')} />
    </svg>
  );
}
