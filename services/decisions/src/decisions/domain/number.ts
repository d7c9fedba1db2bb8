/** A decision's number: 52 random bits of its uuid, so that numbers reveal nothing about each other. */
export function numberOf(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '').slice(-13)}`).toString();
}

/** The decimal digits; null for any other text. */
export function readNumber(text: string): string | null {
  return /^[1-9]\d{0,15}$/.test(text) ? text : null;
}
