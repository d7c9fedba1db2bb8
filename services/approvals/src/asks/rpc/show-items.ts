import type { MessageInitShape } from '@bufbuild/protobuf';
import { shorten } from '@hearth/addresses';
import type { ItemSourceService, ItemViewSchema } from '@hearth/proto/approvals/v1/items';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import type { UnaryHandler } from '@hearth/rpc';
import { asOfNow } from '../actions/roles-now.ts';
import type { Context } from '../context.ts';
import { findWholes, type WholeApproval } from '../db/whole-approvals.ts';

const previewCharacters = 65;

export const showItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.showItems> =>
  async ({ keys }) => {
    const found = await findWholes(context.database.db, [...new Set(keys.map(({ id }) => id))]);
    const asks = await Promise.all([...found.values()].map((whole) => asOfNow(context, whole)));
    const now = new Map(asks.map((whole) => [whole.approval.id, whole]));
    return { items: keys.flatMap((key) => viewOf(key, now.get(key.id)) ?? []) };
  };

function viewOf(
  key: ItemKey,
  whole: WholeApproval | undefined,
): MessageInitShape<typeof ItemViewSchema> | null {
  const place = whole?.recipients.find(({ position }) => position === key.part);
  if (whole === undefined || place === undefined) return null;
  const { approval } = whole;
  // The place still belongs to a former guardian, a former front door, or the asked AI's former owner.
  const isFormer = place.owner === null || (place.box === 'requests' && place.person === null);
  if (approval.status !== 'waiting' || place.decision !== 'waiting' || isFormer) return null;
  return {
    key,
    reference: approval.reference ?? '',
    title: approval.title,
    preview: shorten(approval.details ?? '', previewCharacters),
    from: approval.asker_address,
    fromName: approval.asker_name,
    fromPerson: approval.asker_minor ? (approval.asker_person ?? '') : '',
    nameVerified: approval.asker_verified,
    fromStatus: approval.asker_kind === 'ai' ? (approval.asker_verified ? 'claimed' : 'unclaimed') : 'person',
    to: place.address,
    toPerson: place.minor && place.kind === 'person' ? (place.recipient ?? '') : '',
    passedNote: place.passed_note ?? '',
  };
}
