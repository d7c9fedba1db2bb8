import { hour } from '@hearth/clock';
import { internal } from '@hearth/errors';
import type { CopyState } from '@hearth/home-acts';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import { type AgreementSchema, AgreementStatus } from '@hearth/proto/decisions/v1/agreements';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { Box } from '../domain/agreement.ts';
import type { CopySide } from '../domain/copy.ts';
import { nothingYet, statusOf } from './read-sides.ts';

type State = CopyState<typeof AgreementSchema>;
type Deps = Pick<Context, 'clock' | 'ids' | 'peers' | 'random'>;

/** A side that is reached under no rule. */
type How = 'inbox' | 'requests' | 'front_door' | 'declined' | 'turned_away';

/**
 * The AIs of this home that are sides, by the request rules of their people (kind offer); null where it reaches more people who do
 * not know its sender than may be reached from there.
 */
export async function placeHere(
  context: Deps,
  { after: { home, message }, from, standing, to }: State,
): Promise<{ sides: CopySide[]; firstContacts: number } | null> {
  const named = new Set(message.sides.slice(1).map(({ address }) => address));
  const ais = to.filter(({ address, person }) => !person && named.has(address));
  const known = await Promise.all(
    ais.map((ai) => (standing.limited || from === null ? false : knows(context, ai, from))),
  );
  const strangers = new Set(ais.flatMap(({ owner }, index) => (owner !== '' && !known[index] ? owner : [])));
  if (strangers.size > standing.firstContactsLeft) return null;
  // One that is over when it is first heard of waits for no one.
  const open = message.status === AgreementStatus.OPEN;
  const sides = await Promise.all(
    ais.map(async (ai, index): Promise<CopySide> => {
      const { how, holder } =
        from === null || !open
          ? { how: 'turned_away' as const, holder: null }
          : await reach(context, ai, { from, home, wroteBefore: known[index] === true });
      return {
        ...nothingYet,
        ...{ ai: ai.id, person: ai.owner || null, group: null, address: ai.address, name: ai.name },
        ...{ status: statusOf(ai.aiStatus), minor: false, box: boxes[how], holder, label: 'offer' },
        told: true,
        approval: message.needsOwners && ai.owner !== '' ? context.ids.uuid() : null,
        // A rule's no comes at a random moment within the hour, as that of a person would.
        ...(how === 'declined' && { noAt: randomMoment(context) }),
      };
    }),
  );
  return { sides, firstContacts: strangers.size };
}

const boxes: Record<How, Box> = {
  inbox: 'inbox',
  requests: 'requests',
  front_door: 'front_door',
  declined: 'refused',
  turned_away: 'refused',
};

async function knows({ peers }: Deps, { id, owner }: Profile, from: Caller): Promise<boolean> {
  const owners = [id, owner].filter((one) => one !== '');
  return (await peers.messages.knowsParty({ owners, others: [from.id] }, { caller: anonymous })).known;
}

async function reach(
  { peers }: Deps,
  ai: Profile,
  { from, home, wroteBefore }: { from: Caller; home: string; wroteBefore: boolean },
): Promise<{ how: How; holder: string | null }> {
  // The AI of a group is there for its members.
  if (ai.group !== '') return { how: 'turned_away', holder: null };
  const { reached } = await peers.rules.checkReach(
    {
      reaches: [
        {
          ...{ sender: from.id, senderKind: 'ai', home, senderAddress: from.address },
          checked: from.aiStatus === AiStatus.CLAIMED || from.aiStatus === AiStatus.VOUCHED,
          ...{ recipient: ai.owner, recipientAi: ai.id, kind: RequestKind.OFFER, count: true, wroteBefore },
        },
      ],
    },
    { caller: anonymous },
  );
  const [policy] = reached;
  if (policy === undefined) throw internal('approvals says nothing of who reaches whom');
  return { how: policy.how as How, holder: policy.frontDoor || null };
}

function randomMoment({ clock, random }: Pick<Deps, 'clock' | 'random'>): number {
  const share = Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
  return clock.now() + Math.round(share * hour);
}
