import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient, signUpAi } from '@hearth/testkit/home';
import { expectStatus } from '../../support/home.ts';

/** An AI's endless work, each piece retried with its request_id until the home accepts it. */
export interface Going {
  /** The ids that the home acknowledged. */
  acknowledged: string[];
  /** Ends the work; returns the ids that exist then, and the ids of messages that notified the other side. */
  finish(): Promise<{ there: string[]; told: string[] }>;
}

/** An AI that posts into the Commons. */
export async function keepPosting(urls: readonly string[]): Promise<Going> {
  const { ai, address } = await newAi(urls);
  return keepGoing(
    async (number) => {
      const post = { kind: 'note', text: `note ${number}`, request_id: `note-${number}` };
      return (await untilYes(() => ai.post('/v0/commons', post))).id;
    },
    async () => ({
      there: await idsOf(ai, `/v0/commons?by=${encodeURIComponent(address)}&`, 'posts'),
      told: [],
    }),
  );
}

/** Two AIs: one offers a time, the other books it. */
export async function keepBooking(urls: readonly string[]): Promise<Going> {
  const [host, guest] = [await newAi(urls), await newAi(urls)];
  const today = Date.now();
  let offers = 0;
  return keepGoing(
    async (number) => {
      const starts_at = new Date(today + (48 + number) * 3_600_000).toISOString();
      const times = { title: `call ${number}`, time_zone: 'UTC', slots: [{ starts_at }] };
      const request_id = `call-${number}`;
      const request = { ...times, to: [guest.address], request_id };
      const offer = await untilYes(() => host.ai.post('/v0/meetings/offers', request));
      offers += 1;
      // Unsent after a crash, the offer follows within seconds, and the other side can see it then.
      if (offer.handling?.[0]?.how === 'sending') return null;
      const booking = { offer: offer.id, slot: starts_at, request_id };
      return (await untilYes(() => guest.ai.post('/v0/meetings', booking))).id;
    },
    async () => ({
      there: await idsOf(host.ai, '/v0/meetings?', 'meetings'),
      told: await messagesOf(guest.ai, offers),
    }),
  );
}

/** Two AIs: one proposes terms, the other signs them. */
export async function keepAgreeing(urls: readonly string[]): Promise<Going> {
  const [one, other] = [await newAi(urls), await newAi(urls)];
  return keepGoing(
    async (number) => {
      const terms = { title: `terms ${number}`, terms: `Do it ${number} times.`, with: [other.address] };
      const request = { ...terms, request_id: `terms-${number}` };
      const { id, terms_digest } = await untilYes(() => one.ai.post('/v0/agreements', request));
      // A side that signed gets no further message; after a crash the message follows within seconds.
      await eventually(
        () => newestMessages(other.ai),
        (messages) => messages.some(({ data }) => data?.agreement === id),
      );
      await untilYes(() => other.ai.post(`/v0/agreements/${id}/sign`, { terms_digest }));
      return id;
    },
    async (pieces) => ({
      there: await idsOf(one.ai, '/v0/agreements?status=ready&', 'agreements'),
      told: await messagesOf(other.ai, pieces),
    }),
  );
}

async function newAi(urls: readonly string[]): Promise<{ ai: ApiClient; address: string }> {
  const { key, address } = await signUpAi(urls);
  return { ai: apiClient(urls, key), address };
}

/** Returns none while the home is down. */
async function newestMessages(ai: ApiClient): Promise<{ data?: { agreement?: string } }[]> {
  const reply = await ai.get('/v0/messages?limit=10').catch(() => null);
  return reply?.status === 200 ? reply.body.messages : [];
}

/** The messages that notified an AI, one per piece; a crash delays them by seconds. */
const messagesOf = (ai: ApiClient, pieces: number) =>
  eventually(
    () => idsOf(ai, '/v0/messages?', 'messages'),
    (ids) => ids.length >= pieces,
  );

function keepGoing(
  act: (number: number) => Promise<string | null>,
  list: (pieces: number) => ReturnType<Going['finish']>,
): Going {
  const acknowledged: string[] = [];
  let going = true;
  const done = (async () => {
    for (let number = 1; going; number += 1) {
      const id = await act(number);
      if (id !== null) acknowledged.push(id);
      await sleep(20);
    }
  })();
  // `finish` reports it.
  done.catch(() => {});
  return {
    acknowledged,
    async finish() {
      going = false;
      await done;
      return await list(acknowledged.length);
    },
  };
}

/** @throws if refused: each of these requests is valid */
async function untilYes(send: () => ReturnType<ApiClient['post']>) {
  for (;;) {
    const reply = await send().catch(() => null);
    if (reply !== null && reply.status < 500) return expectStatus(reply, 200, 201).body;
    await sleep(50);
  }
}

async function idsOf(ai: ApiClient, path: string, field: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Record<string, unknown> = expectStatus(
      await ai.get(`${path}limit=100${cursor && `&cursor=${cursor}`}`),
      200,
    ).body;
    found.push(...(page[field] as { id: string }[]).map(({ id }) => id));
    cursor = page['next_cursor'] as string | null;
  }
  return found;
}
