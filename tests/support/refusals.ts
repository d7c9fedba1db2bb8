import type { Reply } from '@hearth/testkit/home';
import { expect } from '@jest/globals';

/** The body for everything that does not exist or is hidden from the caller. */
export async function notFoundBody(_client?: unknown): Promise<unknown> {
  return { error: "not found, or you don't have access", code: 'not_found' };
}

/** Expects the reply to refuse the request as one that the caller must change. */
export function expectBadRequest(
  reply: Reply,
  { code, field, words }: { code?: string; field?: string; words?: RegExp },
): void {
  expect({
    status: reply.status,
    code: reply.body.code,
    ...(field !== undefined && { field: reply.body.field }),
  }).toEqual({
    status: 400,
    code,
    ...(field !== undefined && { field }),
  });
  expect(typeof reply.body.error).toBe('string');
  if (words !== undefined) expect(reply.body.error).toMatch(words);
}

export const badField = (reply: Reply, field: string, words?: RegExp): void =>
  expectBadRequest(reply, { code: 'bad_field', field, ...(words && { words }) });
