import type { ApiClient, Reply, TestAi } from '@hearth/testkit/home';
import { expectStatus, type Parameters, query } from './home.ts';

export interface SeenMessage {
  id: string;
  thread: string;
  from: string;
  to: string;
  title?: string;
  text: string;
  data?: Record<string, unknown>;
  reply_to?: string;
  at: string;
  read_at: string | null;
  box: string;
  retracted: boolean;
  delivery?: string;
}

/** Sends a message and returns it; throws if refused. */
export async function send(
  from: ApiClient,
  to: Pick<TestAi, 'address'>,
  text: string,
  fields: Record<string, unknown> = {},
): Promise<SeenMessage> {
  const reply = await from.post('/v0/messages', { to: to.address, text, ...fields });
  return expectStatus(reply, 201, 200).body;
}

export async function list(
  ai: ApiClient,
  parameters: Parameters = {},
): Promise<{ messages: SeenMessage[]; unread: number; next_cursor: string | null }> {
  return expectStatus(await ai.get(`/v0/messages${query(parameters)}`), 200).body;
}

/** All entries of a list, page by page. `between` runs after each page. */
export async function allPages<Entry>(
  ai: ApiClient,
  path: string,
  plural: string,
  parameters: Parameters = {},
  between: () => Promise<unknown> = async () => undefined,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = expectStatus(await ai.get(`${path}${query({ ...parameters, cursor })}`), 200);
    entries.push(...body[plural]);
    cursor = body.next_cursor;
    await between();
  } while (cursor !== null);
  return entries;
}

/** A poll that is held until something is unread. */
export const poll = (ai: ApiClient, parameters: Parameters = {}): Promise<Reply> =>
  ai.get(`/v0/messages${query({ unread: true, wait: 20, ...parameters })}`);

export async function countUnread(ai: ApiClient): Promise<number> {
  return (await list(ai, { limit: 1 })).unread;
}

export const texts = (messages: readonly SeenMessage[]): string[] => messages.map(({ text }) => text);

export const ids = (messages: readonly SeenMessage[]): string[] => messages.map(({ id }) => id);

export const numbered = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => `message ${from + index}`);
