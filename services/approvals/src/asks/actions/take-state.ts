import { timestampDate } from '@bufbuild/protobuf/wkt';
import { asAt, isCanonicalAddress, parseAddress, parseReference } from '@hearth/addresses';
import {
  type BrokenRule,
  brokenRule,
  momentOfNo,
  outOfBounds,
  type PeerStanding,
  ruleBrokenIn,
} from '@hearth/home-acts';
import { callerElsewhere, isMinor } from '@hearth/people';
import { ApprovalStatus, Needs } from '@hearth/proto/approvals/v1/approvals';
import { type HomeAsk, type HomeAskPerson, HomeAskSchema } from '@hearth/proto/approvals/v1/home_asks';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Call } from '@hearth/rpc';
import { digest, isJsonObject, type JsonObject } from '@hearth/signing';
import { kindNameOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import { findByReference } from '../db/approvals.ts';
import { findKnowing } from '../db/home-places.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { decisions, needs } from '../domain/enum-names.ts';
import { announceAsk } from './announce-ask.ts';
import { type AskContent, askerColumns, blankContent, recipientRow } from './ask-rows.ts';
import type { Asker } from './find-asker.ts';
import { followState } from './follow-state.ts';
import { recordAsked } from './metrics.ts';
import { type Placement, placeRecipients } from './place-recipients.ts';
import { personRecipient, type Recipient } from './read-recipients.ts';
import { placeLooseActs } from './returned-acts.ts';

/** The outcome of a received state. */
export interface TakenState {
  /** An error code of the protocol. */
  refused: 'schema' | 'conflict' | 'no_such_address' | 'first_contact' | null;
  /** For `schema`: the invalid member, and the rule it breaks. */
  path?: string;
  rule?: string;
  /** Number of reached people who do not know the asker. */
  firstContacts: number;
  /** Local addresses in `to` at which no one was reached. */
  unknown: string[];
}

/** A parsed state: the ask, and its signed record as JSON. */
export interface SaidAsk {
  ask: HomeAsk;
  signed: string | null;
  rev: number;
  reference: string;
}

const taken: TakenState = { refused: null, firstContacts: 0, unknown: [] };
const refused = (code: TakenState['refused']): TakenState => ({ ...taken, refused: code });

/** Takes the state of another home's ask. A new ask is placed under the rules of the local recipients. */
export async function takeState(
  context: Context,
  item: HomeItem,
  standing: PeerStanding,
  call: Call,
): Promise<TakenState> {
  const said = readAsk(context, item);
  if ('refused' in said) return { ...taken, ...said };
  const known = await findByReference(context.database.db, item.id);
  if (known !== null) return (await followState(context, known, said)) ? taken : refused('conflict');
  // An ask that was over before this home heard of it waits for no one here.
  if (said.ask.status !== ApprovalStatus.WAITING || said.ask.final) return taken;
  return await begin(context, item, said, standing, call);
}

/** The ask, or the rule it breaks, for instance if its digest does not match. */
function readAsk(
  { askReader, clock, homeNames }: Context,
  { bodyJson, id, rev, home, from }: HomeItem,
): SaidAsk | BrokenRule {
  const at = 'body.object';
  const { object } = JSON.parse(bodyJson) as { object: JsonObject };
  try {
    const ask = askReader.readMessage(HomeAskSchema, object);
    const signed = object['signed_answer'];
    const misplaced = outOfBounds(HomeAskSchema, object, { home, now: clock.now() }, at);
    if (misplaced !== null) return misplaced;
    if (ask.from !== from || parseAddress(from, homeNames)?.home !== home)
      return brokenRule(`${at}.from`, 'must be the address in from');
    const asked = new Set(ask.people.map(({ to }) => to));
    // Addresses of this home include the home's name here, too.
    const options = { devHomes: [...(homeNames.devHomes ?? []), homeNames.ownHome] };
    const isFull = (to: string) => to.indexOf('@') > 0 && isCanonicalAddress(to, options);
    if (asked.size < ask.people.length || ![...asked].every(isFull))
      return brokenRule(`${at}.people`, 'must have a full address each, none twice');
    if (digestOf(ask, home) !== ask.digest) return brokenRule(`${at}.digest`, 'must be that of this ask');
    if (ask.group !== undefined && groupHandle(homeNames, ask.group, home) === null)
      return brokenRule(`${at}.group`, 'must be a group of the home that sends it');
    const signedText = isJsonObject(signed) ? JSON.stringify(signed) : null;
    return { ask, signed: signedText, rev: Number(rev), reference: id };
  } catch (error) {
    return brokenIn(at, error);
  }
}

/** The rule that another home's text breaks; any other error is thrown again. */
function brokenIn(path: string, error: unknown): BrokenRule {
  const broken = ruleBrokenIn(path, error);
  if (broken === null) throw error;
  return broken;
}

/** The group's handle with its home; null unless it is a group of that home. */
function groupHandle(
  homeNames: Context['homeNames'],
  { id, address }: { id: string; address: string },
  home: string,
): string | null {
  const named = parseAddress(address, homeNames);
  const isTheirs = named?.kind === 'group' && named.home === home;
  return isTheirs && parseReference(id, homeNames)?.home === home ? address.slice(1) : null;
}

function digestOf({ title, details, choices, freeText, preview, people }: HomeAsk, home: string): string {
  return digest({
    title,
    ...(details !== undefined && { details }),
    ...(choices.length > 0 && { choices }),
    free_text: freeText === true,
    ...(preview !== undefined && { preview }),
    to: people.map(({ to }) => asAt(to, home)),
  });
}

async function begin(
  context: Context,
  item: HomeItem,
  said: SaidAsk,
  standing: PeerStanding,
  call: Call,
): Promise<TakenState> {
  const { ask } = said;
  const { batched, database, peers } = context;
  const places = await findPlaces(context, item, ask, call);
  if (places.size === 0) return refused('no_such_address');
  const met = await peers.parties
    .meetParty({ address: ask.from, senderJson: item.senderJson }, { call })
    .catch((error: unknown) => brokenIn('sender', error));
  if ('refused' in met) return { ...taken, ...met };
  if (met.profile === undefined)
    return { ...taken, ...brokenRule('sender', 'must be a party of the home that sends it') };
  const asker = askerElsewhere(met.profile, item.home);
  const firstContacts = await countStrangers(context, [...places.values()], asker, standing, call);
  if (firstContacts > standing.firstContactsLeft) return refused('first_contact');

  const content = contentOf(context, said, item.home, standing.domain);
  const recipients = [...places.values()];
  const placements = await placeRecipients(context, asker, recipients, kindNameOf(ask.requestKind), null);
  const byPosition = new Map([...places.keys()].map((position, index) => [position, placements[index]!]));
  const rows = ask.people.map((person, position) => placeOf(context, content, person, position, byPosition));
  const approval = {
    ...{ ...content, ...askerColumns(asker), digest: ask.digest, rev: said.rev },
    ...{ status: 'waiting' as const, why: null, settled_at: null, settled_by: null, record: null },
    ...{ reminders: ask.reminders ?? 0, reminded_at: null, signed_answer: null, disputed: null },
  };
  const whole = { approval, recipients: rows };
  const events = await announceAsk(context, whole, placements, callerElsewhere(met.profile));
  if (await batched.ask(whole, events)) {
    await context.commit((tx) => placeLooseActs(context, tx, item.id));
    recordAsked({ kind: content.kind });
    const reached = recipients.map(({ written }) => written);
    return { refused: null, firstContacts, unknown: item.to.filter((address) => !reached.includes(address)) };
  }
  // The same state arrived twice at once.
  const other = await findByReference(database.db, item.id);
  return other === null || (await followState(context, other, said)) ? taken : refused('conflict');
}

/** position -> the local recipient. Other homes cannot ask a person under 18. */
async function findPlaces(
  { homeNames, people, peers }: Context,
  { to }: HomeItem,
  ask: HomeAsk,
  call: Call,
): Promise<Map<number, Recipient>> {
  const here = ask.people.flatMap((person, position) => {
    const address = asAt(person.to, homeNames.ownHome);
    return to.includes(address) ? [{ position, address }] : [];
  });
  const { results } = await peers.identity.findProfiles(
    { addresses: here.map(({ address }) => address) },
    { call },
  );
  const profiles = here.map((_, index) => results[index]?.profile);
  const facts = await people.find(profiles.flatMap((profile) => personIn(profile) ?? []));
  const places = new Map<number, Recipient>();
  here.forEach(({ position, address }, index) => {
    const profile = profiles[index];
    const responsible = personIn(profile);
    const person = responsible === null ? null : (facts.get(responsible) ?? null);
    if (profile === undefined || profile.minor || profile.home !== '') return;
    if ((responsible !== null && person === null) || (person !== null && isMinor(person))) return;
    if (profile.person) places.set(position, { ...personRecipient(person!), written: address });
    else {
      const { id, name } = profile;
      const ai = { kind: 'ai', id, person, address: profile.address, name } as const;
      places.set(position, { ...ai, minor: false, written: address, unseen: false, home: null });
    }
  });
  return places;
}

function personIn(profile: Profile | undefined): string | null {
  if (profile === undefined) return null;
  return (profile.person ? profile.id : profile.owner) || null;
}

/** Another home's names are not verified here. */
function askerElsewhere({ id, address, name, person, aiStatus }: Profile, home: string): Asker {
  const kind = person ? 'person' : 'ai';
  return {
    party: { home, kind, id, address },
    ...{ person: null, app: null, programs: [], address, name, verified: false, minor: false },
    checked: person || aiStatus === AiStatus.CLAIMED || aiStatus === AiStatus.VOUCHED,
  };
}

/**
 * Counts the people who do not know the asker: no earlier ask, and no message to the asker from them or from
 * their AIs in this ask.
 */
async function countStrangers(
  { database: { db }, peers }: Context,
  recipients: readonly Recipient[],
  { party }: Asker,
  { domain, limited }: PeerStanding,
  call: Call,
): Promise<number> {
  const owned = Map.groupBy(
    recipients.filter(({ person }) => person !== null),
    ({ person }) => person!.id,
  );
  if (limited || owned.size === 0) return owned.size;
  const knowing = await findKnowing(db, [...owned.keys()], { sender: party.id, domain });
  const strangers = [...owned].filter(([person]) => !knowing.has(person));
  const wrote = await Promise.all(
    strangers.map(([person, theirs]) => {
      const owners = [...new Set([person, ...theirs.flatMap(({ id }) => id ?? [])])];
      return peers.messages.knowsParty({ owners, others: [party.id] }, { call });
    }),
  );
  return wrote.filter(({ known }) => !known).length;
}

function contentOf(
  { clock, ids }: Context,
  { ask, reference, rev }: SaidAsk,
  home: string,
  domain: string,
): AskContent {
  const now = clock.now();
  return {
    ...blankContent,
    id: ids.uuid(),
    // Any other purpose matters only to its own home.
    kind: 'ask',
    request_kind: kindNameOf(ask.requestKind),
    title: ask.title,
    details: ask.details ?? null,
    choices: ask.choices,
    free_text: ask.freeText === true,
    needs: needs.nameOf(ask.needs ?? Needs.ANY) === 'all' ? 'all' : 'any',
    preview: ask.preview ?? null,
    ...(ask.group !== undefined && {
      group_reference: ask.group.id,
      group_name: ask.group.name,
      group_handle: ask.group.address.slice(1),
    }),
    asked_at: new Date(Math.min(timestampDate(ask.at!).getTime(), now)),
    expires_at: timestampDate(ask.expiresAt!),
    ...{ home, reference, home_domain: domain, rev },
  };
}

function placeOf(
  context: Context,
  content: AskContent,
  said: HomeAskPerson,
  position: number,
  placements: ReadonlyMap<number, Placement>,
): RecipientRow {
  const placement = placements.get(position);
  if (placement !== undefined) {
    const row = recipientRow(context.sealer, content, placement, position);
    return row.handling === 'declined' ? { ...row, no_due_at: momentOfNo(context) } : row;
  }
  const address = asAt(said.to, context.homeNames.ownHome);
  // The other home cannot name, or answer for, a local person or AI that it did not ask.
  const isOurs = address !== said.to;
  const name = (isOurs ? '' : said.person) || address;
  const stranger: Recipient = {
    ...{ kind: said.to.includes('.ai-') ? 'ai' : 'person', id: null, person: null, address, name },
    ...{ minor: false, written: null, unseen: false, home: null },
  };
  const nowhere = { handling: 'delivered', owner: null, box: '', front_door: null, guards: null } as const;
  const place: Placement = {
    ...{ ...nowhere, recipient: stranger, person: null, quiet: false },
    requestKind: kindNameOf(0),
  };
  const decision = isOurs ? '' : decisions.nameOf(said.decision ?? 0);
  return {
    ...recipientRow(context.sealer, content, place, position),
    decision: decision === 'approved' || decision === 'declined' ? decision : 'waiting',
  };
}
