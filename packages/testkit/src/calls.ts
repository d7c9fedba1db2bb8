/** The failure of a call in brief: kind, code and field; "none" where it succeeds. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as { kind: string; details?: { code?: string; field?: string } };
    return [kind, details?.code, details?.field].filter((word) => word !== undefined).join(' ');
  }
}

/** A message as text, to look for what must not be in it. */
export const textOf = (message: unknown): string =>
  JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value));
