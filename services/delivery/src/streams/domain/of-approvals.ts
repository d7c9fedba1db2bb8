import { ApprovalAskedSchema, AskAnsweredSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { EventValue } from '../../shared/domain/event-data.ts';
import { type Draft, draft, type Mappers } from './draft.ts';

/** An ask wakes the AI in whose list it waits, or all AIs of the person in whose list it waits. */
export const approvalEvents: Mappers = {
  approvalRequested(ask) {
    const loud = ask.places.filter(({ quiet }) => !quiet);
    const byOwner = Map.groupBy(loud, ({ owner }) => owner);
    return [...byOwner].flatMap(([owner, places]) => asked(ask, owner, places));
  },
  approvalSettled: ({ approval, status, asker, askerPerson }) =>
    // The asker who takes an ask back knows that it is over.
    status === 'cancelled'
      ? []
      : [draft(AskAnsweredSchema, { approvalId: approval, status }, { ais: [asker], people: [askerPerson] })],
};

type Ask = EventValue<'approvalRequested'>;

/** For the owner who is an AI, or for the AIs of the owner who is a person: the event does not say which it is. */
function asked(
  { approval, title, kind, from, expiresAt, group }: Ask,
  owner: string,
  places: Ask['places'],
): Draft[] {
  const own = places.find(({ to }) => to === owner);
  // An ask to the owner counts more than one that passes by them.
  const { box, requestKind } = own ?? places[0]!;
  const data = {
    approvalId: approval,
    title,
    kind,
    ...(box !== 'inbox' && requestKind !== '' && { requestKind }),
    ...(from !== '' && { from }),
    frontDoor: places.some((place) => place.box === 'front_door'),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const groups = group === undefined ? [] : [group.id];
  return [
    draft(ApprovalAskedSchema, { ...data, toYou: own !== undefined }, { ais: [owner], groups }),
    draft(ApprovalAskedSchema, { ...data, toYou: false }, { people: [owner], groups }),
  ];
}
