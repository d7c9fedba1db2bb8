import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import { type DestinationSchema, DestinationState } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { Call } from '@hearth/rpc';
import { factsById } from '../../shared/actions/facts-by-id.ts';
import type { Context } from '../context.ts';
import type { DestinationRow } from '../db/shown-destinations.ts';
import { printDestination } from './destination-id.ts';
import { findAis } from './find-ais.ts';

type Shown = MessageInitShape<typeof DestinationSchema>;

/** Returns how the operator sees these destinations. */
export async function createShow(
  context: Pick<Context, 'ais' | 'apps' | 'people'>,
  rows: readonly DestinationRow[],
  call: Call,
): Promise<(row: DestinationRow) => Shown> {
  const idsOf = (kind: DestinationRow['kind']) => rows.flatMap((row) => (row.kind === kind ? row.id : []));
  const [apps, ais] = await Promise.all([
    factsById(idsOf('app'), (ids) => context.apps.findApps({ ids }, { call })),
    findAis(context, [...rows.flatMap(({ ai }) => ai ?? []), ...idsOf('callback')], call),
  ]);
  const addresses = await addressesOf(context, [...ais.values()]);
  return (row) => {
    const app = apps.get(row.id);
    const url = row.url ?? app?.webhookUrl ?? '';
    const id = printDestination(row, (asker) => ais.has(asker));
    return {
      id,
      kind: row.kind,
      owner: ownerOf(row, id),
      status: stateOf(row),
      waiting: row.waiting,
      ...(URL.canParse(url) && { origin: originOf(new URL(url)) }),
      ...(row.event !== null && { event: row.event }),
      ...(row.failingSince !== null && { failingSince: timestampFromDate(row.failingSince) }),
      ...(row.stoppedAt !== null && { stoppedSince: timestampFromDate(row.stoppedAt) }),
      ...(row.lastError !== null && { lastError: row.lastError }),
      ...(row.lastDeliveryAt !== null && { lastDeliveryAt: timestampFromDate(row.lastDeliveryAt) }),
    };
  };

  function ownerOf({ kind, id, ai }: DestinationRow, printed: string): string {
    if (kind === 'app') return apps.get(id)?.name ?? '';
    if (kind === 'subscription') return addresses.get(ai ?? '') ?? printId('ai', ai ?? '');
    return kind === 'callback' ? (addresses.get(id) ?? printed) : '';
  }
}

/** `URL.origin` is the string "null" for a mail server's URL. */
const originOf = ({ origin, protocol, host }: URL) => (origin === 'null' ? `${protocol}//${host}` : origin);

function stateOf({ kind, stoppedAt, troubledSince }: DestinationRow): DestinationState {
  if (stoppedAt !== null) return kind === 'app' ? DestinationState.DISABLED : DestinationState.SUSPENDED;
  return troubledSince === null ? DestinationState.ACTIVE : DestinationState.FAILING;
}

/** Returns the addresses of AIs by uuid, except those that would reveal the handle of a person under 18. */
async function addressesOf(
  { people }: Pick<Context, 'people'>,
  ais: readonly AiFacts[],
): Promise<Map<string, string>> {
  const owners = await people.find(ais.flatMap(({ owner }) => (owner === '' ? [] : [owner])));
  const shown = ais.filter(({ owner }) => {
    const facts = owners.get(owner);
    return owner === '' || (facts !== undefined && !isMinor(facts));
  });
  return new Map(shown.map(({ id, address }) => [id, address]));
}
