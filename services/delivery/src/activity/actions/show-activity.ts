import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { isMinor, seesWhole, shieldedTime, shieldId, viewerOf } from '@hearth/people';
import type { ActivitySchema } from '@hearth/proto/delivery/v1/activity';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { factsById } from '../../shared/actions/facts-by-id.ts';
import type { Context } from '../context.ts';
import type { ActivityRow } from '../db/activity.ts';

export interface Show {
  row(row: ActivityRow): MessageInitShape<typeof ActivitySchema>;
  /** Whether the viewer may not know the actor: a person under 18, or an AI of theirs. */
  hides(row: ActivityRow): boolean;
}

/**
 * Returns how the caller sees these rows: unchanged, except that people under 18 are shielded where the
 * caller may not see them in full.
 */
export async function createShow(
  { people, ais, sealer }: Pick<Context, 'people' | 'ais' | 'sealer'>,
  caller: Caller,
  rows: readonly ActivityRow[],
): Promise<Show> {
  const toApp = caller.app !== '' || caller.kind === CallerKind.APP;
  const viewer = viewerOf(caller);
  const facts = await people.find(
    rows.flatMap(({ actorPerson, about }) => [actorPerson, about].filter((id) => id !== null)),
  );

  /** For deleted people, the row's own `wasMinor` counts. */
  function isShielded(person: string | null, wasMinor: boolean): boolean {
    const known = person === null ? undefined : facts.get(person);
    return known === undefined ? wasMinor : isMinor(known) && !seesWhole(known, caller);
  }
  const hides = (row: ActivityRow) => isShielded(row.actorPerson, row.actorMinor);

  // The row holds no address where it could reveal a handle: identity's current address is used.
  const unnamed = await factsById(
    rows.flatMap((row) => (isAi(row) && row.actorAddress === '' ? (row.actor ?? []) : [])),
    (ids) => ais.findAis({ ids }, { caller }),
  );
  /** A private owner stays hidden from every viewer: not even the child's shielded id is shown. */
  const isPrivate = (row: ActivityRow) => isAi(row) && unnamed.get(row.actor ?? '')?.ownerPrivate === true;

  function addressOf(row: ActivityRow): string | undefined {
    if (hides(row)) {
      const tells = row.actorPerson !== null && !isPrivate(row);
      return tells ? shieldId(sealer, viewer, row.actorPerson as string) : undefined;
    }
    if (row.actorAddress !== '') return row.actorAddress;
    if (isAi(row)) return unnamed.get(row.actor ?? '')?.address;
    const known = facts.get(row.actorPerson ?? '');
    return known === undefined ? undefined : `@${known.handle}`;
  }

  function forApps(row: ActivityRow) {
    if (!toApp) return {};
    const itemRef = row.itemApp === caller.app ? row.itemRef || undefined : undefined;
    if (row.actor === null) return { itemRef };
    if (hides(row)) return { itemRef, byId: addressOf(row), byName: isAi(row) ? undefined : row.actorName };
    return { itemRef, byId: printId(prefixOf(row), row.actor), byName: row.actorName || undefined };
  }

  return {
    hides,
    row(row) {
      const cut = hides(row) || isShielded(row.about, row.aboutMinor);
      return {
        at: timestampFromDate(cut ? shieldedTime(row.at) : row.at),
        action: row.action,
        by: addressOf(row),
        via: row.via,
        summary: row.summary,
        wording: row.wording ?? undefined,
        group: row.group === null ? undefined : printId('grp', row.group),
        ...forApps(row),
      };
    },
  };
}

const isAi = ({ actorKind }: ActivityRow) => actorKind === CallerKind.AI;

function prefixOf({ actorKind }: ActivityRow): 'ai' | 'app' | 'per' {
  if (actorKind === CallerKind.AI) return 'ai';
  return actorKind === CallerKind.APP ? 'app' : 'per';
}
