import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { capabilityOf, clinicOf } from './capability-keys.ts';

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const RING = `new:${key(1)},old:${key(2)}`;
const OLD = `old:${key(2)}`;
const RANDOM = 'Ab-_56789012345678901234567';
const LARGEST = 36 ** 7 - 1;

describe('a capability', () => {
  it.each([1, 35, 36, 1_000_000, LARGEST])('contains clinic %i, which is read only with its key ring', (clinic) => {
    const capability = capabilityOf(RING, clinic, RANDOM);
    expect(capability).toBe(encodeURIComponent(capability));
    expect(clinicOf(RING, capability)).toBe(clinic);
    expect(clinicOf(OLD, capability)).toBeNull();
  });

  it('ends with 96 bits of an HMAC over the preceding part', () => {
    const [payload, tag] = [`5-${RANDOM}`, capabilityOf(RING, 5, RANDOM).slice(-16)];
    const digest = createHmac('sha256', new Uint8Array(32).fill(1)).update(payload).digest('base64url');
    expect(tag).toBe(digest.slice(0, 16));
  });

  it('is read by an older key only while that key is in the ring', () => {
    const capability = capabilityOf(OLD, 5, RANDOM);
    expect(clinicOf(RING, capability)).toBe(5);
    expect(clinicOf(`new:${key(1)}`, capability)).toBeNull();
    expect(capabilityOf(RING, 5, RANDOM)).not.toBe(capability);
  });

  it('is invalid when any character was changed', () => {
    const capability = capabilityOf(RING, 5, RANDOM);
    // Caching the valid capability must not make an altered one valid.
    expect(clinicOf(RING, capability)).toBe(5);
    for (let index = 0; index < capability.length; index++) {
      const replacement = capability[index] === 'x' ? 'y' : 'x';
      expect(
        clinicOf(RING, capability.slice(0, index) + replacement + capability.slice(index + 1)),
        `character ${index}`,
      ).toBeNull();
    }
  });

  const capability = capabilityOf(RING, 5, RANDOM);
  it.each([
    ['renumbered', `6${capability.slice(1)}`],
    ['numbered with a leading zero', `0${capability}`],
    ['upper-cased', capability.toUpperCase()],
    ['upper-cased in its number', capabilityOf(RING, 10, RANDOM).replace(/^a/, 'A')],
    ['without its tag', capability.slice(0, -17)],
    ['with half of its tag', capability.slice(0, -8)],
    ['one character too long', `${capability}A`],
    ['followed by a line break', `${capability}\n`],
    ['with a space', ` ${capability}`],
    ['with another number in front', `7-${capability}`],
    ['as the random part alone', RANDOM],
    ['empty', ''],
    ['of another alphabet', capability.replace('Ab', 'Äb')],
  ])('is invalid in any other form: %s', (_title, forged) => {
    expect(clinicOf(RING, forged)).toBeNull();
  });

  it('is refused without reading the keys if its shape is wrong, however long it is', () => {
    const noKeys = '';
    expect(clinicOf(noKeys, '5-'.repeat(1_000_000))).toBeNull();
    expect(clinicOf(noKeys, `${'z'.repeat(8)}-${RANDOM}-${'A'.repeat(16)}`)).toBeNull();
    // A valid shape needs the keys.
    expect(() => clinicOf(noKeys, capability)).toThrow('CAPABILITY_KEYS');
  });

  it.each([
    ['clinic 0', 0, RANDOM],
    ['a fractional number', 1.5, RANDOM],
    ['a negative number', -1, RANDOM],
    ['a number that is too large', LARGEST + 1, RANDOM],
    ['too few random characters', 1, RANDOM.slice(1)],
  ])('is not created for %s', (_title, clinic, random) => {
    expect(() => capabilityOf(RING, clinic, random)).toThrow('needs the number');
  });
});
