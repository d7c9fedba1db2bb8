import { forbidden, type HearthError } from '@hearth/errors';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { RequestKindName } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { Asker } from './find-asker.ts';
import { personRecipient, type Recipient } from './read-recipients.ts';

/** Where an ask lands for a recipient: list and box. */
export type Placement = Pick<
  RecipientRow,
  'handling' | 'owner' | 'box' | 'front_door' | 'person' | 'guards'
> & {
  recipient: Recipient;
  /** The kind of request, as their contact rules classify it. */
  requestKind: RequestKindName;
  quiet: boolean;
};

/**
 * Places an ask in a person's inbox regardless of contact rules. @param guards uuid of the child that the ask
 * is about
 */
export function inInbox(person: PersonFacts, guards: string | null = null): Placement {
  return {
    recipient: personRecipient(person),
    person: person.id,
    handling: 'delivered',
    owner: person.id,
    box: 'inbox',
    front_door: null,
    guards,
    requestKind: 'other',
    quiet: false,
  };
}

/** Places an ask for each recipient by their contact rules. The person that the asker acts for always receives it. */
export async function placeRecipients(
  { rules }: Pick<Context, 'rules'>,
  asker: Asker,
  recipients: readonly Recipient[],
  kind: RequestKindName,
  about: string | null,
): Promise<Placement[]> {
  return await Promise.all(
    recipients.map(async (recipient): Promise<Placement> => {
      const { id, person } = recipient;
      const common = { recipient, person: person?.id ?? null, front_door: null, guards: about };
      if (recipient.home !== null) {
        const held = { handling: 'held', owner: null, box: '', requestKind: kind, quiet: false } as const;
        // An AI may answer for them at their home, which decides that.
        return { ...common, ...held, person: recipient.kind === 'person' ? id : null };
      }
      if (id === null) {
        const mailed = { handling: 'delivered', owner: null, box: '' } as const;
        return { ...common, ...mailed, requestKind: kind, quiet: false };
      }
      const contact = await rules.check({
        sender: asker.party,
        checked: asker.checked,
        recipient: person?.id ?? null,
        recipientAi: recipient.kind === 'ai' ? id : null,
        kind,
        wroteBefore: about !== null,
        family: asker.minor && person !== null && (asker.person?.guardians.includes(person.id) ?? false),
        unseen: recipient.unseen,
        count: true,
      });
      const { how, guardian, frontDoor, quiet } = contact;
      const outcome = { ...common, requestKind: contact.kind, quiet };
      switch (how) {
        case 'inbox':
          return { ...outcome, handling: 'delivered', owner: id, box: 'inbox', quiet: false };
        case 'requests':
          return {
            ...outcome,
            handling: quiet ? 'waiting_quietly' : 'delivered',
            // The guardian reads and answers in the child's place.
            owner: guardian ?? id,
            person: guardian ?? common.person,
            guards: guardian === null ? about : id,
            box: 'requests',
          };
        case 'front_door':
          return {
            ...outcome,
            handling: 'front_door',
            owner: frontDoor ?? id,
            front_door: frontDoor,
            box: 'front_door',
          };
        case 'declined':
          return { ...outcome, handling: 'declined', owner: null, box: '' };
        case 'turned_away':
          return { ...outcome, ...masked(outcome), handling: 'turned_away', owner: null, box: '' };
      }
    }),
  );
}

/** The refusal of an ask that reaches no recipient, or misses one whose yes is required. */
export function turnedAway(placements: readonly Placement[], needs: 'any' | 'all'): HearthError | null {
  const away = placements.filter(({ handling }) => handling === 'turned_away').length;
  if (away === 0 || (needs === 'any' && away < placements.length)) return null;
  // The same message for a rule, a block and a child, so that an asker cannot tell them apart.
  return forbidden('they do not take this from you, so nothing was sent', { code: 'turned_away' });
}

/**
 * Refuses an ask that reaches both another home and a person under 18: answers and record name every
 * recipient, and other homes must not learn of minors. Ignores recipients who turned the ask away, so that
 * the refusal does not reveal a child.
 */
export function mixedAges(placements: readonly Placement[]): HearthError | null {
  const isAway = placements.some(({ recipient }) => recipient.home !== null);
  const isMixed = placements.some(({ recipient, handling }) => recipient.minor && handling !== 'turned_away');
  if (!isAway || !isMixed) return null;
  return forbidden('an ask to another home asks no one under 18; ask them by one of their own', {
    code: 'minors_not_allowed',
  });
}

/**
 * Stores a recipient who turned the ask away by the address that the asker wrote, and nothing else: a rule, a
 * block and a child look the same.
 */
function masked({ recipient, person }: Pick<Placement, 'recipient' | 'person'>) {
  const { written: address } = recipient;
  if (address === null) return { recipient, person };
  return {
    recipient: { ...recipient, id: null, person: null, address, name: address, minor: false },
    person: null,
  };
}
