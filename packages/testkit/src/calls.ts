/** Returns a call's failure as kind, code and field; "none" if it succeeds. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as { kind: string; details?: { code?: string; field?: string } };
    return [kind, details?.code, details?.field].filter((word) => word !== undefined).join(' ');
  }
}

/** Returns a message as text, to search for what it must not contain. */
export const textOf = (message: unknown): string =>
  JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value));
