import { type HomeNames, printReference, withHome } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { describeParty } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

/** The revision of the final state, above all earlier ones. */
export const finalRev = 1_000_000;

/** The service that receives the answers from other homes. */
const service = 'approvals';

/**
 * Whether other homes learn of this recipient: not of minors, email addresses, or recipients that the ask
 * does not reach.
 */
export function isTold({
  kind,
  minor,
  handling,
}: Pick<RecipientRow, 'kind' | 'minor' | 'handling'>): boolean {
  return kind !== 'email' && !minor && handling !== 'turned_away';
}

/** Whether the ask is sent to other homes. */
export function isAway({ approval, recipients }: WholeApproval): boolean {
  return approval.home === null && recipients.some(hears);
}

/**
 * Whether this recipient's home receives the ask. Not if the recipient is gone: another home may have taken
 * over the name.
 */
const hears = ({ home, why }: RecipientRow) => home !== null && why !== 'recipient_gone';

/** Options of `askState`. */
export interface Stating {
  names: Pick<HomeNames, 'ownHome'>;
  rev: number;
  /** The asker's status, when they ask. */
  aiStatus?: AiStatus;
}

/** The ask's state for each home with recipients. */
export function askState(whole: WholeApproval, { names, rev, aiStatus }: Stating): Announcement {
  const { approval, recipients } = whole;
  const { id, asker_kind, asker_name, asker_verified, asker } = approval;
  const ai = asker_kind === 'ai';
  const byHome = Map.groupBy(recipients.filter(hears), ({ home }) => home as string);
  const status = aiStatus ?? (asker_verified ? AiStatus.CLAIMED : AiStatus.UNCLAIMED);
  const sender = { id: asker ?? '', ai, name: asker_name, verified: asker_verified, aiStatus: status };
  return {
    data: {
      case: 'itemForHomes',
      value: {
        ...{ service, type: HomeItemType.STATE, id: printId('apr', id), rev: BigInt(rev) },
        homes: [...byHome].map(([home, asked]) => ({ home, to: asked.map(({ address }) => address) })),
        from: approval.asker_address,
        senderJson: JSON.stringify(describeParty(sender)),
        bodyJson: JSON.stringify({ kind: 'ask', object: objectOf(whole, names.ownHome) }),
      },
    },
  };
}

/** Tells the other homes to delete the ask. */
export function erasedAsk(
  { approval, recipients }: WholeApproval,
  { ownHome }: Stating['names'],
): Announcement {
  const homes = new Set(recipients.flatMap(({ home }) => home ?? []));
  const erased = printReference({ home: ownHome, id: printId('apr', approval.id) });
  return {
    data: {
      case: 'itemForHomes',
      value: {
        ...{ service, type: HomeItemType.ERASED, homes: [...homes].map((home) => ({ home })) },
        bodyJson: JSON.stringify({ id: erased, rev: finalRev + 1 }),
      },
    },
  };
}

/** The ask as in `get_approval`, without anything that depends on the viewer, and with full addresses. */
function objectOf({ approval: row, recipients }: WholeApproval, home: string) {
  const why = row.why === 'blocked' ? 'by_rule' : row.why;
  return {
    id: printReference({ home, id: printId('apr', row.id) }),
    title: row.title,
    status: row.status,
    kind: row.kind,
    request_kind: row.request_kind,
    ...(row.details !== null && { details: row.details }),
    choices: row.choices,
    free_text: row.free_text,
    needs: row.needs,
    from: withHome(row.asker_address, home),
    from_name: row.asker_name,
    name_verified: row.asker_verified,
    ...(row.group !== null && {
      group: {
        id: printReference({ home, id: printId('grp', row.group) }),
        name: row.group_name ?? '',
        address: withHome(`&${row.group_handle ?? ''}`, home),
      },
    }),
    ...(row.preview !== null && { preview: row.preview }),
    people: recipients.filter(isTold).map((recipient) => personOf(recipient, home)),
    at: row.asked_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    digest: row.digest,
    reminders: row.reminders,
    ...(row.settled_at !== null && { settled_at: row.settled_at.toISOString() }),
    ...(row.signed_answer !== null && { signed_answer: JSON.parse(row.signed_answer) as unknown }),
    ...(why !== null && { why }),
    ...(row.status !== 'waiting' && { final: true }),
  };
}

function personOf(row: RecipientRow, home: string) {
  const { name, decision, answer, note, answered_at, answered_as } = row;
  return {
    to: withHome(row.address, home),
    person: name,
    decision,
    ...(answer !== null && { answer }),
    ...(note !== null && { note }),
    ...(answered_at !== null && { at: answered_at.toISOString() }),
    ...(answered_as !== null && { by: answered_as }),
  };
}
