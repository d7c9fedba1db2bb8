import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import { type DestinationSchema, DestinationState } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { AppFacts } from '@hearth/proto/identity/v1/apps';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { DestinationRow } from '../db/shown-destinations.ts';

type Shown = MessageInitShape<typeof DestinationSchema>;

/** How the operator sees these addresses. */
export async function createShow(
  context: Pick<Context, 'ais' | 'apps' | 'people'>,
  rows: readonly DestinationRow[],
  call: Call,
): Promise<(row: DestinationRow) => Shown> {
  const [apps, ais] = await Promise.all([findApps(context, rows, call), findAis(context, rows, call)]);
  return (row) => {
    const app = apps.get(row.id);
    const url = row.url ?? app?.webhookUrl ?? '';
    return {
      ...(row.ai === null
        ? { id: printId('app', row.id), kind: 'app', owner: app?.name ?? '' }
        : {
            id: printId('sub', row.id),
            kind: 'subscription',
            owner: ais.get(row.ai) ?? printId('ai', row.ai),
          }),
      status: stateOf(row),
      waiting: row.waiting,
      ...(URL.canParse(url) && { origin: new URL(url).origin }),
      ...(row.event !== null && { event: row.event }),
      ...(row.failingSince !== null && { failingSince: timestampFromDate(row.failingSince) }),
      ...(row.stoppedAt !== null && { stoppedSince: timestampFromDate(row.stoppedAt) }),
      ...(row.lastError !== null && { lastError: row.lastError }),
      ...(row.lastDeliveryAt !== null && { lastDeliveryAt: timestampFromDate(row.lastDeliveryAt) }),
    };
  };
}

function stateOf({ ai, stoppedAt, troubledSince }: DestinationRow): DestinationState {
  if (stoppedAt !== null) return ai === null ? DestinationState.DISABLED : DestinationState.SUSPENDED;
  return troubledSince === null ? DestinationState.ACTIVE : DestinationState.FAILING;
}

async function findApps(
  { apps }: Pick<Context, 'apps'>,
  rows: readonly DestinationRow[],
  call: Call,
): Promise<Map<string, AppFacts>> {
  const ids = rows.filter(({ ai }) => ai === null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { results } = await apps.findApps({ ids }, { call });
  return new Map(results.flatMap(({ facts }) => (facts === undefined ? [] : [[facts.id, facts]])));
}

/** The addresses of AIs by their uuids; one that shows the handle of a person under 18 is left out. */
async function findAis(
  { ais, people }: Pick<Context, 'ais' | 'people'>,
  rows: readonly DestinationRow[],
  call: Call,
): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ ai }) => ai ?? []))];
  if (ids.length === 0) return new Map();
  const { results } = await ais.findAis({ ids }, { call });
  const known = results.flatMap(({ facts }) => facts ?? []);
  const owners = await people.find(known.flatMap(({ owner }) => (owner === '' ? [] : [owner])));
  const shown = known.filter(({ owner }) => {
    const facts = owners.get(owner);
    return owner === '' || (facts !== undefined && !isMinor(facts));
  });
  return new Map(shown.map(({ id, address }) => [id, address]));
}
