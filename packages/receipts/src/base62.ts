const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The first `length` characters of [0-9A-Za-z] that these bytes make; 32 bytes are enough for 22. */
export function base62Of(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text += base62[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
