import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { shorten } from '@hearth/addresses';
import { enumNames } from '@hearth/enum-names';
import { parseId, printId } from '@hearth/ids';
import { type People, shortenName } from '@hearth/people';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { RequestEntrySchema } from '@hearth/proto/approvals/v1/requests';
import type { Invitation } from '@hearth/proto/groups/v1/invitations';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Box, SenderStatus, SenderStatusSchema } from '@hearth/proto/messages/v1/messages';
import type { RequestMessage } from '@hearth/proto/messages/v1/request_messages';
import type { Caller } from '@hearth/rpc';
import type { RequestAskRow } from '../../asks/module.ts';
import { kindValueOf } from '../../shared/domain/request-kinds.ts';
import type { Placed } from '../domain/merge-pages.ts';

/** An item that waits, with its place in the list. */
export type Waiting = Placed &
  (
    | { type: 'approval'; ask: RequestAskRow }
    | { type: 'message'; message: RequestMessage }
    | { type: 'invite'; invitation: Invitation }
  );

type Entry = MessageInitShape<typeof RequestEntrySchema>;

const previewCharacters = 65;

const statuses = enumNames(SenderStatusSchema);

export const fromAsk = (ask: RequestAskRow): Waiting => ({ type: 'approval', at: ask.at, id: ask.id, ask });

export const fromMessage = (message: RequestMessage): Waiting => ({
  type: 'message',
  at: message.at === undefined ? new Date(0) : timestampDate(message.at),
  id: message.id,
  message,
});

export const fromInvitation = (invitation: Invitation): Waiting => ({
  type: 'invite',
  at: invitation.at === undefined ? new Date(0) : timestampDate(invitation.at),
  id: invitation.id,
  invitation,
});

/** As the caller may see them: children by the id by which the caller knows them. */
export async function showRequests(
  people: Pick<People, 'find' | 'idFor'>,
  waiting: readonly Waiting[],
  caller: Caller,
): Promise<Entry[]> {
  const facts = await people.find(waiting.flatMap(peopleOf));
  const shown: Show = (stored, name, id) => {
    const person = facts.get(parseId('per', stored) ?? (stored === '' ? (id ?? '') : ''));
    if (person === undefined) return { address: stored, name };
    const idOf = people.idFor(person, caller);
    const whole = !idOf.startsWith('shp_');
    return { address: whole ? `@${person.handle}` : idOf, name: whole ? name : shortenName(name) };
  };
  return waiting.map((one) => toEntry(one, shown, facts));
}

function toEntry(one: Waiting, shown: Show, facts: ReadonlyMap<string, PersonFacts>): Entry {
  if (one.type === 'approval') return fromRow(one.ask, shown);
  if (one.type === 'message') return fromWaitingMessage(one.message, shown);
  return fromWaitingInvite(one.invitation, facts, shown);
}

/**
 * A stored address and name as the caller may see them. The stored address of a child is their id, or empty with `id` beside
 * it.
 */
type Show = (stored: string, name: string, id: string | null) => { address: string; name: string };

function peopleOf(one: Waiting): string[] {
  if (one.type === 'invite') return [one.invitation.createdByPerson, one.invitation.person];
  if (one.type === 'approval') {
    const { asker, asker_minor, recipient, minor } = one.ask;
    return [...(asker_minor && asker ? [asker] : []), ...(minor && recipient ? [recipient] : [])];
  }
  const { senderAddress, recipientAddress } = one.message;
  return [parseId('per', senderAddress), parseId('per', recipientAddress)].filter((id) => id !== null);
}

function fromRow(ask: RequestAskRow, shown: Show): Entry {
  const from = shown(ask.asker_address, ask.asker_name, ask.asker_minor ? ask.asker : null);
  return {
    id: printId('apr', ask.id),
    type: 'approval',
    kind: kindValueOf(ask.request_kind),
    title: ask.title,
    preview: shorten(ask.details ?? '', previewCharacters),
    from: from.address,
    fromName: from.name,
    nameVerified: ask.asker_verified,
    fromStatus: ask.asker_kind === 'ai' ? (ask.asker_verified ? 'claimed' : 'unclaimed') : 'person',
    at: timestampFromDate(ask.at),
    expiresAt: timestampFromDate(ask.expires_at),
    passedNote: ask.passed_note ?? undefined,
    to: shown(ask.address, '', ask.minor ? ask.recipient : null).address,
    frontDoor: ask.box === 'front_door',
  };
}

function fromWaitingMessage(message: RequestMessage, shown: Show): Entry {
  const { senderAddress, senderName, senderStatus } = message;
  const from = shown(senderAddress, senderName, null);
  return {
    id: printId('msg', message.id),
    type: 'message',
    kind: message.kind as number as RequestKind,
    title: message.title,
    preview: message.preview,
    from: from.address,
    fromName: from.name,
    nameVerified: senderStatus === SenderStatus.PERSON || senderStatus === SenderStatus.CLAIMED,
    fromStatus: statuses.nameOf(senderStatus),
    at: message.at,
    to: shown(message.recipientAddress, '', null).address,
    frontDoor: message.box === Box.FRONT_DOOR,
  };
}

function fromWaitingInvite(
  invitation: Invitation,
  facts: ReadonlyMap<string, PersonFacts>,
  shown: Show,
): Entry {
  const { holder, passedNote, person } = invitation;
  const maker = facts.get(invitation.createdByPerson);
  return {
    id: printId('inv', invitation.id),
    type: 'invite',
    kind: RequestKind.OTHER,
    title: `An invitation into ${invitation.groupName}`,
    preview: '',
    from: maker === undefined ? '' : `@${maker.handle}`,
    fromName: invitation.createdByName,
    nameVerified: true,
    fromStatus: 'person',
    at: invitation.at,
    expiresAt: invitation.expiresAt,
    passedNote: passedNote || undefined,
    to: person === '' ? '' : shown('', '', person).address,
    // An item that waits with a guardian waits for a child.
    frontDoor: holder !== '' && facts.get(person)?.guardians.includes(holder) !== true,
  };
}
