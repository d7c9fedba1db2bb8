import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  type Reply,
  type StartedHome,
  signUpAi,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import ical, { type VEvent } from 'node-ical';
import { expectStatus } from '../support/home.ts';
import { killWriting } from './support/both-homes.ts';
import { bringBack } from './support/bring-back.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';
import { rounds } from './support/rounds.ts';

// Meetings are moved to and fro between two offered times while the home is killed: each move is applied completely or
// not at all, and announced once.

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

const pairs = 4;
const moves = rounds(2, 4);
const day = (days: number) =>
  `${new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00.000Z`;
const times = [day(5), day(6)] as [string, string];
let home: StartedHome;

beforeAll(async () => {
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_SEAL_KEY: '' };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
}, 180_000);
afterAll(() => home?.stop(), 240_000);

interface Pair {
  /** Offered the times, and accepts each move. */
  host: ApiClient;
  /** Booked a time, and proposes each move. */
  guest: ApiClient;
  offer: string;
  meeting: string;
  /** The cursor of the guest's wake-ups. */
  cursor: string;
}

const newAi = async () => {
  const { key, address } = await signUpAi(home.urls);
  return { ai: apiClient(home.urls, key), address };
};

async function newPair(): Promise<Pair> {
  const [host, guest] = [await newAi(), await newAi()];
  const slots = times.map((starts_at) => ({ starts_at }));
  const made = { title: 'A call', time_zone: 'UTC', times: 2, slots };
  const offer = expectStatus(
    await host.ai.post('/v0/meetings/offers', { ...made, to: [guest.address] }),
    201,
  ).body;
  const booking = { offer: offer.id, slot: times[0] };
  const { id } = expectStatus(await guest.ai.post('/v0/meetings', booking), 201).body;
  const { cursor } = await read(guest.ai, '/v0/ais/me/events');
  return { host: host.ai, guest: guest.ai, offer: offer.id, meeting: id, cursor };
}

/** Retries until the home accepts it or says that it is done already: answers are lost with a killed home. */
async function insist(act: () => Promise<Reply>): Promise<void> {
  const answered = () =>
    act().then(
      ({ status, body }) => (status === 400 ? (body.code as string) : status),
      () => 0,
    );
  const done: readonly (number | string)[] = [200, 'not_waiting', 'bad_field'];
  await eventually(answered, (answer) => done.includes(answer), { withinMs: 60_000, everyMs: 100 });
}

async function killAmid(acts: (() => Promise<Reply>)[]): Promise<void> {
  const sent = Promise.allSettled(acts.map((act) => act()));
  await sleep(Math.random() * 60);
  await home.processes[0]!.kill();
  await sent;
  await bringBack(home.processes[0]!);
  await home.ready();
}

const read = async (ai: ApiClient, path: string): Promise<Body> => expectStatus(await ai.get(path), 200).body;

/** A meeting as one side sees it, with its calendar file and the offer's taken times. */
async function seenBy(ai: ApiClient, { offer, meeting }: Pair) {
  const { starts_at, sequence, move } = await read(ai, `/v0/meetings/${meeting}`);
  const { slots } = await read(ai, `/v0/meetings/offers/${offer}`);
  const taken = slots.filter(({ free }: Body) => !free).map((slot: Body) => slot.starts_at);
  return { starts_at, sequence, proposed: move?.starts_at as string | undefined, taken };
}

async function calendarOf(ai: ApiClient, { meeting }: Pair) {
  const text = await read(ai, `/v0/meetings/${meeting}.ics`);
  const [event] = Object.values(ical.sync.parseICS(text)).filter(
    (component): component is VEvent => component?.type === 'VEVENT',
  );
  return { starts_at: event?.start.toISOString(), sequence: Number(event?.sequence) };
}

/** The wake-ups with that name since a cursor, in order. */
async function wakesOf(ai: ApiClient, from: string, name: string): Promise<Body[]> {
  const found: Body[] = [];
  for (let cursor = from, more = true; more; ) {
    const page = await read(ai, `/v0/ais/me/events?cursor=${encodeURIComponent(cursor)}`);
    found.push(...page.events.filter((event: Body) => event.name === name).map((event: Body) => event.data));
    more = page.hasMore;
    cursor = page.cursor;
  }
  return found;
}

async function recordsOf(meeting: string): Promise<Body[]> {
  const { rows } = await onDatabase(embeddedUrl(home.dataFolder), (client) =>
    client.query<{ json: string }>('select json from federation.records where json like $1', [
      `%"${meeting}"%`,
    ]),
  );
  return rows.map(({ json }) => JSON.parse(json) as Body);
}

test(`${pairs} meetings are moved ${moves} times, each time with a kill -9 midway`, async () => {
  const all = await Promise.all(Array.from({ length: pairs }, newPair));
  for (let number = 1; number <= moves; number += 1) {
    const [from, to] = number % 2 ? times : [times[1], times[0]];
    const propose = all.map(
      ({ guest, meeting }) =>
        () =>
          guest.post(`/v0/meetings/${meeting}/move`, { starts_at: to, reason: `move ${number}` }),
    );
    if (number % 2) await killAmid(propose);
    await Promise.all(propose.map(insist));
    const accept = all.map(
      ({ host, meeting }) =>
        () =>
          host.post(`/v0/meetings/${meeting}/move/accept`, {}),
    );
    await killAmid(accept);
    for (const pair of all) {
      const [one, other] = [await seenBy(pair.host, pair), await seenBy(pair.guest, pair)];
      expect(one).toEqual(other);
      expect([
        { starts_at: from, sequence: number - 1, proposed: to, taken: [from] },
        { starts_at: to, sequence: number, proposed: undefined, taken: [to] },
      ]).toContainEqual(one);
    }
    await Promise.all(accept.map(insist));
  }

  for (const pair of all) {
    const { host, guest, meeting, cursor } = pair;
    const last = { starts_at: times[moves % 2], sequence: moves };
    for (const side of [host, guest]) {
      expect(await seenBy(side, pair)).toMatchObject({ ...last, taken: [last.starts_at] });
      expect(await calendarOf(side, pair)).toEqual(last);
    }
    // Each move woke the other side once, in order, and each proposal arrived as one message.
    const moved = Array.from({ length: moves }, (_, index) => ({
      ...{ starts_at: times[(index + 1) % 2], moved_from: times[index % 2] },
    }));
    const woken = await eventually(
      () => wakesOf(guest, cursor, 'meeting.booked'),
      (found) => found.length >= moves,
      { withinMs: 60_000 },
    );
    expect(woken).toMatchObject(moved);
    expect(woken).toHaveLength(moves);
    const told = await eventually(
      async () => (await read(host, '/v0/messages?limit=100')).messages as Body[],
      (found) => found.length >= moves,
      { withinMs: 60_000 },
    );
    expect(told.map(({ data }) => data)).toEqual(
      Array(moves).fill({ meeting, expires_at: expect.any(String) }),
    );

    const { record } = await eventually(
      () => read(guest, `/v0/meetings/${meeting}`),
      (shown) => shown.record?.meeting.sequence === moves,
      { withinMs: 60_000 },
    );
    const records = await recordsOf(meeting);
    const sequences = records.map((signed) => signed.meeting.sequence as number).toSorted((a, b) => a - b);
    expect(sequences).toEqual([...new Set(sequences)]);
    expect(records).toContainEqual(record);
  }
}, 300_000);

test('each former state of a moved meeting is signed once, with the home killed before and during signing', async () => {
  const { host, guest, meeting } = await newPair();
  const path = `/v0/meetings/${meeting}`;
  const move = async () => {
    for (const starts_at of [times[1], times[0]]) {
      expectStatus(await guest.post(`${path}/move`, { starts_at }), 200);
      expect(expectStatus(await host.post(`${path}/move/accept`, {}), 200).body.pending).toBe(true);
    }
  };
  const [process] = home.processes;
  const freeze = () => void globalThis.process.kill(process!.pid(), 'SIGSTOP');
  const tables = ['federation.records'];
  const killWhenSigning = (begin: () => Promise<unknown>) =>
    killWriting(embeddedUrl(home.dataFolder), { tables, begin, freeze, kill: () => process!.kill() });
  // The booking's answer was signed. The moves cannot be signed: their answers say pending.
  await killWhenSigning(move);
  await bringBack(process!);
  await home.ready();
  // Shortens the dead process's lease.
  const endLeases = () =>
    onDatabase(embeddedUrl(home.dataFolder), (client) =>
      client.query('update decisions.meetings set claimed_until = null'),
    );
  await killWhenSigning(endLeases);
  await bringBack(process!);
  await home.ready();
  await endLeases();
  const { record } = await eventually(
    () => read(guest, path),
    (shown) => shown.record?.meeting.sequence === 2,
    { withinMs: 60_000 },
  );
  const records = (await recordsOf(meeting)).toSorted((a, b) => a.meeting.sequence - b.meeting.sequence);
  expect(records.map((signed) => signed.meeting.sequence)).toEqual([0, 1, 2]);
  expect(records[2]).toEqual(record);
  const digests = records.map(
    ({ signature: _, ...text }) => `sha-256:${hash('sha256', canonicalize(text)!, 'base64url')}`,
  );
  expect(records.map(({ prev }) => prev)).toEqual([undefined, digests[0], digests[1]]);
}, 300_000);
