import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { MeetingStatus, OfferStatus } from '@hearth/proto/decisions/v1/meetings';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { afterAll, beforeEach } from '@jest/globals';
import { startDecisions } from '../start-decisions.ts';

export const home = await startDecisions();
afterAll(() => home.stop());

export const { BOOKED, CANCELLED, PAST } = MeetingStatus;
export const { OPEN, TAKEN, WITHDRAWN, EXPIRED } = OfferStatus;
export const first = '2026-05-04T10:00';
export const [firstAt, secondAt] = ['2026-05-04T08:00:00.000Z', '2026-05-05T08:00:00.000Z'];
export const moment = (text: string) => timestampFromDate(new Date(text));

export let ada: PersonFacts;
export let ben: PersonFacts;
export let robin: Caller;
export let wren: Caller;
beforeEach(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  robin = home.newAi(ada);
  // An AI without an owner.
  wren = home.world.asAi(home.world.newAi());
  home.sent.length = 0;
});

export const toWren = (fields: object = {}) => home.offer(robin, { to: [wren.address], ...fields });
export const book = (
  who: Parameters<typeof home.meetingsBy>[0],
  offer: string,
  slot = first,
  fields: object = {},
) => home.meetingsBy(who).bookMeeting({ offer, slot, ...fields });
export const booked = async () => await book(wren, (await toWren({ times: 2 })).id);
export const told = async (id: string) =>
  (await home.events('decisions', 'meetingChanged')).flatMap(({ data: { value } }) =>
    id.endsWith(value.meeting.replaceAll('-', '')) ? [value] : [],
  );
