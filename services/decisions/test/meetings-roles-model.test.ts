import { printId } from '@hearth/ids';
import { MeetingStatus, OfferStatus } from '@hearth/proto/decisions/v1/meetings';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { asPerson, createChance, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { changeHands } from './change-hands.ts';
import { startDecisions } from './start-decisions.ts';

/**
 * Like roles-model.test.ts, for offers of times and meetings: AIs change hands, and group members come and go, between
 * all other acts.
 */

const runs = Number(process.env['HEARTH_ROLES_RUNS'] ?? 3);
const firstSeed = Number(process.env['HEARTH_ROLES_SEED'] ?? Date.now() % 1_000_000);
const steps = 25;
const hour = 3_600_000;

const home = await startDecisions();
afterAll(() => home.stop());

const { OPEN, TAKEN, WITHDRAWN } = OfferStatus;
const { BOOKED, CANCELLED } = MeetingStatus;

type Party = AiFacts | PersonFacts;

interface Offer {
  id: string;
  host: Party;
  to: 'anyone' | 'group' | readonly Party[];
  /** The meeting that takes each of its times; null for a free time. */
  slots: (Meeting | null)[];
  starts: readonly string[];
  withdrawn: boolean;
}

interface Meeting {
  id: string;
  offer: Offer;
  sides: readonly [Party, Party];
  off: boolean;
  /** The side that proposes another time. */
  move: number | null;
}

/** The rules of roles in offers and meetings, as a simple model. */
class Model {
  readonly offers: Offer[] = [];
  readonly meetings: Meeting[] = [];
  readonly child: string;
  readonly members: Set<string>;

  constructor(child: PersonFacts, members: Set<string>) {
    this.child = child.id;
    this.members = members;
  }

  /** uuid of the viewer that a party sees things as: a person and their AIs see the same. */
  viewerOf(party: Party): string {
    return 'owner' in party && party.owner !== '' && party.owner !== this.child ? party.owner : party.id;
  }

  isTo(offer: Offer, viewer: string): boolean {
    if (offer.to === 'group') return this.members.has(viewer);
    return offer.to !== 'anyone' && offer.to.some((party) => this.viewerOf(party) === viewer);
  }

  /** Whether it is in a viewer's list, as their own or as offered to them. */
  lists(offer: Offer, viewer: string): boolean {
    return this.viewerOf(offer.host) === viewer || this.isTo(offer, viewer);
  }

  sees(offer: Offer, viewer: string): boolean {
    return this.lists(offer, viewer) || (offer.to === 'anyone' && viewer !== this.child);
  }

  /** The party that a caller books as: the AI that the offer was made to, if it is theirs. */
  guestOf({ to }: Offer, self: Party): Party {
    const theirs =
      typeof to === 'string' ? [] : to.filter((party) => this.viewerOf(party) === this.viewerOf(self));
    return theirs.includes(self) ? self : (theirs[0] ?? self);
  }

  bookedOf(offer: Offer): number {
    return this.meetings.filter((meeting) => meeting.offer === offer && !meeting.off).length;
  }

  statusOf(offer: Offer): OfferStatus {
    if (offer.withdrawn) return WITHDRAWN;
    return this.bookedOf(offer) === offer.slots.length ? TAKEN : OPEN;
  }

  cancel(meeting: Meeting): void {
    meeting.off = true;
    meeting.move = null;
    meeting.offer.slots = meeting.offer.slots.map((slot) => (slot === meeting ? null : slot));
  }

  claimed(): void {}
  unclaimed(): void {}

  /** Ends the offers and meetings of an AI that is gone. */
  left(ai: string): void {
    for (const meeting of this.meetings) if (meeting.sides.some(({ id }) => id === ai)) this.cancel(meeting);
    for (const offer of this.offers) if (offer.host.id === ai) offer.withdrawn = true;
  }
}

async function run(seed: number): Promise<void> {
  const chance = createChance(seed);
  const { next, pick, some } = chance;
  const { world } = home;
  const adults = Array.from({ length: 4 }, () => home.newPerson());
  const child = home.newPerson({ ageBand: AgeBand.CHILD, guardians: [adults[0]!.id] });
  const permissions = [Scope.READ, Scope.MESSAGE, Scope.GROUP];
  const ais = Array.from({ length: 3 }, () =>
    world.newAi(pick([undefined, undefined, ...adults]), { permissions }),
  );
  const parties: Party[] = [...ais, ...ais, ...adults];
  const group = home.newGroup(adults.slice(0, 2));
  const off = new Set<string>();
  const model = new Model(child, group.members);
  const { meetings, offers } = model;
  const begins = home.clock.now();
  let times = 0;
  const nextTime = () => {
    times += 1;
    return new Date(begins + (24 + 2 * times) * hour).toISOString();
  };
  const isOut = (party: Party) => off.has(party.id) || ('owner' in party && party.owner === child.id);
  const callerOf = (party: Party): Caller => ('owner' in party ? world.asAi(party) : asPerson(party));
  const addressOf = (party: Party) => ('owner' in party ? party.address : `@${party.handle}`);
  const addressesOf = (to: Offer['to'], among: (party: Party) => boolean = () => true) =>
    to === 'anyone' ? [to] : to === 'group' ? [`&${group.facts.handle}`] : to.filter(among).map(addressOf);
  const newsOf = async () =>
    (await home.events('decisions', 'meetingChanged')).filter(({ data: { value } }) =>
      meetings.some(({ id }) => id === printId('mtg', value.meeting)),
    );
  let did = 'it began';
  let seen = 0;
  for (let step = 0; step < steps; step += 1) {
    const isChange = next(3) === 0;
    did = `${did}; ${await (isChange ? changeRoles() : act())}`;
    await compare(isChange);
  }

  async function changeRoles(): Promise<string> {
    if (next(3) > 0) return await changeHands(home, chance, { ais, adults, child, off }, model);
    const who = pick(adults);
    if (!group.members.delete(who.id)) group.members.add(who.id);
    return `${who.name} is ${group.members.has(who.id) ? '' : 'not '}in the group`;
  }

  async function check(
    words: string,
    { may, allowed }: { may: boolean; allowed: boolean },
    call: Promise<unknown>,
  ): Promise<string> {
    const refused = await failure(call);
    const told = `seed ${seed}: ${did}; ${words}`;
    if (!may) expect([told, refused]).toEqual([told, 'not_found not_found']);
    else
      expect([told, refused === 'none' ? 'none' : 'refused', refused]).toEqual([
        ...[told, allowed ? 'none' : 'refused', refused],
      ]);
    return `${words}${refused === 'none' ? '' : ' (refused)'}`;
  }

  /** A random caller's act: accepted if the model allows it, otherwise refused. */
  async function act(): Promise<string> {
    const self = pick(parties.filter((party) => !isOut(party)));
    const kinds = ['book', 'book', 'book', 'propose', 'propose', 'accept', 'accept', 'decline'] as const;
    const kind = offers.length < 3 ? 'offer' : pick([...kinds, 'cancel', 'withdraw', 'offer'] as const);
    if (kind === 'offer') return offers.length < 7 ? await offer(self) : 'nothing';
    const calls = home.meetingsBy(callerOf(self));
    const viewer = model.viewerOf(self);
    if (kind === 'book' || kind === 'withdraw') {
      const offer = pick(offers);
      const [may, isOwn] = [model.sees(offer, viewer), model.viewerOf(offer.host) === viewer];
      const words = `${self.name}: ${kind} ${offers.indexOf(offer)}`;
      if (kind === 'withdraw') {
        if (next(3) > 0) return 'nothing';
        const result = await check(words, { may, allowed: isOwn }, calls.withdrawOffer({ id: offer.id }));
        if (isOwn) offer.withdrawn = true;
        return result;
      }
      const guest = model.guestOf(offer, self);
      if (isOut(guest)) return 'nothing';
      const nth = next(offer.slots.length);
      const allowed = may && !isOwn && model.statusOf(offer) === OPEN && offer.slots[nth] === null;
      const call = calls.bookMeeting({ offer: offer.id, slot: offer.starts[nth]! });
      const result = await check(words, { may, allowed }, call);
      if (!allowed) return result;
      const { id } = await call;
      const meeting = { id, offer, sides: [offer.host, guest], off: false, move: null } as const;
      meetings.push({ ...meeting });
      offer.slots[nth] = meetings.at(-1)!;
      return result;
    }
    if (meetings.length === 0) return 'nothing';
    const meeting = pick(meetings);
    const { id, move } = meeting;
    const viewers = meeting.sides.map((party) => model.viewerOf(party));
    const [may, side] = [viewers.includes(viewer), viewers[0] === viewer ? 0 : 1];
    const words = `${self.name}: ${kind} ${meetings.indexOf(meeting)}`;
    const isOn = may && !meeting.off;
    switch (kind) {
      case 'propose': {
        const result = await check(
          words,
          { may, allowed: isOn },
          calls.moveMeeting({ id, startsAt: nextTime() }),
        );
        if (isOn) meeting.move = side;
        return result;
      }
      case 'accept': {
        const allowed = isOn && move !== null && move !== side;
        const result = await check(words, { may, allowed }, calls.acceptMove({ id }));
        if (allowed)
          meeting.offer.slots = meeting.offer.slots.map((slot) => (slot === meeting ? null : slot));
        if (allowed) meeting.move = null;
        return result;
      }
      case 'decline': {
        const allowed = isOn && move !== null;
        const result = await check(words, { may, allowed }, calls.declineMove({ id }));
        if (allowed) meeting.move = null;
        return result;
      }
      default: {
        if (next(3) > 0) return 'nothing';
        const result = await check(words, { may, allowed: may }, calls.cancelMeeting({ id }));
        if (isOn) model.cancel(meeting);
        return result;
      }
    }
  }

  async function offer(host: Party): Promise<string> {
    const others = [...new Set(some(parties))].filter((party) => party !== host && !isOut(party));
    const isIn = group.members.has(model.viewerOf(host));
    const kinds = [...(others.length > 0 ? [others, others] : []), ...(isIn ? ['group'] : []), 'anyone'];
    const to = pick(kinds) as Offer['to'];
    const starts = [nextTime(), nextTime()];
    const { id } = await home.offer(callerOf(host), {
      ...{ to: addressesOf(to), times: 2, timeZone: 'UTC' },
      slots: starts.map((startsAt) => ({ startsAt })),
    });
    offers.push({ id, host, to, slots: [null, null], starts, withdrawn: false });
    return `${host.name}: offer ${offers.length - 1} to ${typeof to === 'string' ? to : to.map(({ name }) => name)}`;
  }

  async function compare(isChange: boolean): Promise<void> {
    const told = `seed ${seed}: ${did}`;
    const one = pick([undefined, ...offers]);
    for (const self of [...ais.filter(({ id }) => !off.has(id)), ...adults, child]) {
      const caller = callerOf(self);
      const calls = home.meetingsBy(caller);
      const viewer =
        self === child || ('owner' in self && self.owner === child.id) ? child.id : model.viewerOf(self);
      const [offered, met] = await Promise.all([calls.listOffers({}), calls.listMeetings({})]);
      const shown = new Map(offered.offers.map((found) => [found.id, found]));
      const listed = offers.filter((found) => model.lists(found, viewer));
      const nths = (all: readonly { id: string }[], ids: Iterable<string>) =>
        [...ids].map((id) => all.findIndex((found) => found.id === id)).toSorted();
      expect([told, self.name, 'offers', nths(offers, shown.keys())]).toEqual([
        ...[told, self.name, 'offers'],
        nths(
          offers,
          listed.map(({ id }) => id),
        ),
      ]);
      for (const found of listed) {
        const { status, to, yours } = shown.get(found.id)!;
        const own = model.viewerOf(found.host) === viewer;
        const theirs = (party: Party) => own || model.viewerOf(party) === viewer;
        const addresses = addressesOf(found.to, theirs);
        expect([told, self.name, offers.indexOf(found), status, yours, to]).toEqual([
          ...[told, self.name, offers.indexOf(found)],
          ...[model.statusOf(found), own, addresses],
        ]);
      }
      if (one !== undefined) {
        const refused = await failure(calls.getOffer({ id: one.id }));
        expect([told, self.name, offers.indexOf(one), refused === 'none']).toEqual([
          ...[told, self.name, offers.indexOf(one), model.sees(one, viewer)],
        ]);
      }
      const theirs = meetings.flatMap(({ id, move, off: isOff, sides }) => {
        const viewers = sides.map((party) => model.viewerOf(party));
        if (!viewers.includes(viewer)) return [];
        const other = sides[viewers[0] === viewer ? 1 : 0];
        return [[id, isOff ? CANCELLED : BOOKED, addressOf(other), move !== null]];
      });
      const got = met.meetings.map((found) => [
        found.id,
        found.status,
        found.with[0],
        found.move !== undefined,
      ]);
      expect([told, self.name, 'meetings', got.toSorted()]).toEqual([
        ...[told, self.name, 'meetings', theirs.toSorted()],
      ]);
    }
    const news = (await newsOf()).slice(seen);
    seen += news.length;
    if (isChange) return;
    for (const { data } of news) {
      const meeting = meetings.find(({ id }) => id === printId('mtg', data.value.meeting))!;
      const people = meeting.sides.map((party) => ('owner' in party ? party.owner : party.id));
      expect([told, 'told', data.value.sides.map(({ person }) => person)]).toEqual([told, 'told', people]);
    }
  }
}

describe('owners of AIs in meetings at the time of the act', () => {
  test.each(Array.from({ length: runs }, (_, index) => firstSeed + index))('seed %d', run, 60_000);
});
