import { forbidden, type HearthError } from '@hearth/errors';
import type { RequestKindWord } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { Asker } from './find-asker.ts';
import type { Recipient } from './read-recipients.ts';

/** How an ask reaches somebody. */
export type Reached = Pick<
  RecipientRow,
  'handling' | 'owner' | 'box' | 'front_door' | 'person' | 'guards'
> & {
  recipient: Recipient;
  /** As which kind of request it counts for them. */
  requestKind: RequestKindWord;
  quiet: boolean;
};

/**
 * How an ask reaches each of those who are asked, by their own rules. Whoever the asker acts for is reached always.
 *
 * @param about uuid of somebody under 18 whose guardians they are: only a block keeps it back
 */
export async function reachRecipients(
  { rules }: Pick<Context, 'rules'>,
  asker: Asker,
  recipients: readonly Recipient[],
  kind: RequestKindWord,
  about: string | null,
): Promise<Reached[]> {
  return await Promise.all(
    recipients.map(async (recipient): Promise<Reached> => {
      const { id, person } = recipient;
      const common = { recipient, person: person?.id ?? null, front_door: null, guards: about };
      if (id === null) {
        const mailed = { handling: 'delivered', owner: null, box: '' } as const;
        return { ...common, ...mailed, requestKind: kind, quiet: false };
      }
      const reached = await rules.reach.check({
        sender: asker.id,
        senderKind: asker.kind,
        senderPerson: asker.kind === 'ai' ? (asker.person?.id ?? null) : null,
        senderGroup: asker.group,
        checked: asker.checked,
        home: null,
        senderAddress: null,
        recipient: person?.id ?? null,
        recipientAi: recipient.kind === 'ai' ? id : null,
        kind,
        wroteBefore: about !== null,
        family: asker.minor && person !== null && (asker.person?.guardians.includes(person.id) ?? false),
        unseen: recipient.unseen,
        count: true,
      });
      const outcome = { ...common, requestKind: reached.kind, quiet: reached.quiet };
      switch (reached.how) {
        case 'inbox':
          return { ...outcome, handling: 'delivered', owner: id, box: 'inbox', quiet: false };
        case 'requests':
          return {
            ...outcome,
            handling: reached.quiet ? 'waiting_quietly' : 'delivered',
            // In place of somebody under 18 their guardian reads and answers it.
            owner: reached.guardian ?? id,
            person: reached.guardian ?? common.person,
            guards: reached.guardian === null ? about : id,
            box: 'requests',
          };
        case 'front_door':
          return {
            ...outcome,
            handling: 'front_door',
            owner: reached.frontDoor ?? id,
            front_door: reached.frontDoor,
            box: 'front_door',
          };
        case 'declined':
          return { ...outcome, handling: 'declined', owner: null, box: '' };
        case 'turned_away':
          return {
            ...outcome,
            ...masked(recipient, outcome.person),
            handling: 'turned_away',
            owner: null,
            box: '',
          };
      }
    }),
  );
}

/** Why an ask is not made at all: it reaches nobody, or not everybody whose yes it takes. */
export function turnedAway(reached: readonly Reached[], needs: 'any' | 'all'): HearthError | null {
  const away = reached.filter(({ handling }) => handling === 'turned_away').length;
  if (away === 0 || (needs === 'any' && away < reached.length)) return null;
  return refusedToAsk();
}

/**
 * Of whom takes nothing nothing more is kept and shown than the address that the asker wrote: a rule, a block and somebody
 * under 18 cannot be told apart.
 */
function masked(recipient: Recipient, person: string | null): Pick<Reached, 'recipient' | 'person'> {
  const { written: address } = recipient;
  if (address === null) return { recipient, person };
  return {
    recipient: { ...recipient, id: null, person: null, address, name: address, minor: false },
    person: null,
  };
}

/** In the same words for a rule, a block and somebody under 18, so that nobody can tell them apart. */
function refusedToAsk(): HearthError {
  return forbidden('they do not take this from you, so nothing was sent', { code: 'turned_away' });
}
