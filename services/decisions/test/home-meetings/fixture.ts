import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { MeetingStatus, OfferStatus } from '@hearth/proto/decisions/v1/meetings';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemSchema } from '@hearth/proto/federation/v1/items';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller, ResponseMetadata } from '@hearth/rpc';
import { eventually, follows, ids, startAtTwo } from '@hearth/testkit';
import { afterAll, beforeEach, expect } from '@jest/globals';
import { lastState, type Over } from '../last-state.ts';
import { startDecisions, type Who } from '../start-decisions.ts';

export const { here, there, carry, stop } = await startAtTwo('decisions', startDecisions);
afterAll(stop);
export type Home = typeof here;

export let ada: PersonFacts;
/** Ada's AI Robin is of the home here and offers times; Wren, without an owner, is of the other. */
export let robin: Caller;
export let wren: Caller;

beforeEach(() => {
  ada = here.newPerson();
  robin = here.newAi(ada);
  wren = there.world.asAi(there.world.newAi());
  for (const { sent, taken } of [here, there]) {
    sent.length = 0;
    taken.clear();
  }
});

export const { BOOKED, CANCELLED } = MeetingStatus;
export const { OPEN, TAKEN, WITHDRAWN, EXPIRED } = OfferStatus;
export const [first, second] = ['2026-05-04T10:00', '2026-05-05T10:00'];
export const [firstAt, secondAt] = ['2026-05-04T08:00:00.000Z', '2026-05-05T08:00:00.000Z'];
export const moment = (text: string) => timestampFromDate(new Date(text));
export const full = (who: Who, { name }: Home) =>
  `${('kind' in who ? who.address : who.handle).replace(/^@/, '')}@${name}`;
export const refOf = (id: string) => `r:${here.name}:${id}`;
export const offer = (fields: object = {}, to: readonly Who[] = [wren]) =>
  here.offer(robin, { to: to.map((recipient) => full(recipient, there)), times: 2, ...fields });
export const carried = <Answer>(call: Promise<Answer>) => carry.during(there, here, call);
/** Waits until that caller of the other home sees the offer as expected. */
export const becomes = (who: Who, id: string, expected: object) =>
  follows(async () => {
    await carry(here, there);
    const found = await there.meetingsBy(who).getOffer({ id: refOf(id) });
    expect(found).toMatchObject(expected);
    return found;
  });
/** Waits until that caller of the other home sees the meeting as expected. */
export const stands = (who: Who, id: string, expected: object) =>
  follows(async () => {
    await carry(here, there);
    const found = await there.meetingsBy(who).getMeeting({ id });
    expect(found).toMatchObject(expected);
    return found;
  });
export const book = (who: Who, id: string, slot = first, fields: object = {}) =>
  carried(there.meetingsBy(who).bookMeeting({ offer: refOf(id), slot, ...fields }));
export const booked = async (who: Who = wren, fields: object = {}, slot = first) => {
  const { id } = await offer(fields, [who]);
  await becomes(who, id, { status: OPEN });
  const meeting = await book(who, id, slot);
  await stands(who, meeting.id, { status: BOOKED });
  return { offer: id, there: meeting.id, here: meeting.id.slice(`r:${here.name}:`.length) };
};
export const told = async (home: Home, title: string) =>
  (await home.events('decisions', 'meetingChanged')).flatMap(({ data: { value } }) =>
    value.title === title ? [value] : [],
  );
/** Waits until every meeting is signed in its current state; the home's own job may have some in hand. */
export const signed = async () => {
  here.clock.advance(6_000);
  await here.runJob('decisions: sign-meetings');
  const rest = () =>
    here.database.db.query(
      sql`select 1 from decisions.meetings where signed_record is null and elsewhere is null`,
    );
  await eventually(rest, ({ length }) => length === 0);
};

/** The items that a home sent to others. */
export async function itemsFrom(home: Home) {
  return (await home.events('decisions', 'itemForHomes')).map(({ data: { value } }) => [
    value.from,
    value.bodyJson,
    value.senderJson,
  ]);
}

/** Records the HTTP status of a call; 0 stands for the declared status. */
export const noted = (statuses: number[]) => ({
  onMetadata: ({ httpStatus }: ResponseMetadata) => void statuses.push(httpStatus),
});

/** An act of Wren's on a local offer or meeting. */
export function actOf(operation: string, id: string, request: object) {
  const act = `r:${there.name}:${printId('act', ids.uuid())}`;
  const sender = { id: printId('ai', wren.id), kind: 'ai', name: wren.name, status: 'unclaimed' };
  const body = { on: refOf(id), operation, request, by: 'ai', proof: 'key', via: 'api' };
  return create(HomeItemSchema, {
    ...{ type: HomeItemType.ACT, id: act, rev: 1n, home: there.name, from: full(wren, there) },
    ...{ senderJson: JSON.stringify(sender), bodyJson: JSON.stringify(body) },
    itemJson: JSON.stringify({ type: 'act', id: act, body }),
  });
}

/** The last state of a local offer or meeting, as the other home receives it. */
export const stateOf = (id: string, over?: Over) => lastState(here, id, over);
