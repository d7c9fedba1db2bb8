/** The number of a decision: 52 bits of the random part of its uuid, so that numbers tell nothing of each other. */
export function numberOf(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '').slice(-13)}`).toString();
}

/** Decimal digits; null for another text. */
export function readNumber(text: string): string | null {
  return /^[1-9]\d{0,15}$/.test(text) ? text : null;
}
