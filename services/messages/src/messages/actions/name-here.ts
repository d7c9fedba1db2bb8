import { parseReference, printReference } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import type { Context } from '../context.ts';
import { findNoted } from '../db/references.ts';

/** Request fields with ids of messages and threads. */
interface Names {
  id?: string | undefined;
  ids?: string[];
  thread?: string | undefined;
  replyTo?: string | undefined;
  since?: string | undefined;
  upTo?: string | undefined;
}

/** A uuid that no message or thread has. */
const nothing = '00000000-0000-0000-0000-000000000000';

const single = ['id', 'thread', 'replyTo', 'since', 'upTo'] as const;

/**
 * Replaces references r:<home>:<id> of messages and threads that the viewer received with the ids of this
 * home. An unknown reference becomes an id that matches nothing.
 *
 * @param threads whether `id` names a thread
 */
export async function nameHere<Request extends Names>(
  context: Pick<Context, 'database' | 'homeNames'>,
  request: Request,
  viewer: string,
  { threads = false } = {},
): Promise<Request> {
  const given = [...single.map((name) => request[name]), ...(request.ids ?? [])];
  const references = given.flatMap((text) => (text?.startsWith('r:') ? [text] : []));
  if (references.length === 0) return request;
  const canonical = new Map(
    references.flatMap((text) => {
      const reference = parseReference(text, context.homeNames);
      return reference === null ? [] : [[text, printReference(reference)]];
    }),
  );
  const noted = await findNoted(context.database.db, viewer, [...canonical.values()]);
  const here = (text: string, isThread: boolean) => {
    if (!text.startsWith('r:')) return text;
    return printId(isThread ? 'thr' : 'msg', noted.get(canonical.get(text) ?? '') ?? nothing);
  };
  const named: Names = { ...request };
  for (const name of single) {
    const isThread = name === 'thread' || (name === 'id' && threads);
    const text = request[name];
    if (text !== undefined) named[name] = here(text, isThread);
  }
  if (request.ids !== undefined) named.ids = request.ids.map((text) => here(text, false));
  return named as Request;
}
