import { type HomeNames, printReference, withHome } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { describeParty } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

/** No state follows the last one, however many came before. */
export const finalRev = 1_000_000;

/** The service that the answers of other homes come back to. */
const service = 'approvals';

/** Whether other homes are told of that recipient: of no one under 18, no e-mail address and no one whom it does not reach. */
export function isTold({
  kind,
  minor,
  handling,
}: Pick<RecipientRow, 'kind' | 'minor' | 'handling'>): boolean {
  return kind !== 'email' && !minor && handling !== 'turned_away';
}

/** Whether other homes are to hear of it. */
export function isAway({ approval, recipients }: WholeApproval): boolean {
  return approval.home === null && recipients.some(hears);
}

/** Whether the home of that recipient hears of the ask: not of one who is gone, where another home may be under the name. */
const hears = ({ home, why }: RecipientRow) => home !== null && why !== 'recipient_gone';

/** How a state goes out. */
export interface Stating {
  names: Pick<HomeNames, 'ownHome'>;
  rev: number;
  /** The asker's status when they ask. */
  aiStatus?: AiStatus;
}

/** The ask as other homes see it, for each home whose people are asked. */
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

/** Other homes forget it. */
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

/** As get_approval answers it, without what depends on the viewer; addresses carry their home. */
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
