import { type Clock, day } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import type { Ids } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

const context = 'sign_in.device';
const longest = 1_000;
const keptMs = 400 * day;

/** A stateless token that proves later that a browser signed in with the address. It grants no access. */
export function writeDevice(
  { clock, ids, sealer }: { clock: Clock; ids: Ids; sealer: Pick<Sealer, 'seal'> },
  email: string,
): string {
  const device = { id: ids.uuid(), email, until: clock.now() + keptMs };
  return sealer.seal(Buffer.from(JSON.stringify(device)), context).toString('base64url');
}

/** The browser's id if it signed in with the address before; otherwise empty. */
export function readDevice(
  { clock, sealer }: { clock: Clock; sealer: Pick<Sealer, 'open'> },
  token: string,
  email: string,
): string {
  if (token === '' || token.length > longest) return '';
  try {
    const device = JSON.parse(sealer.open(Buffer.from(token, 'base64url'), context).toString());
    return device.email === email && device.until > clock.now() ? device.id : '';
  } catch (error) {
    if (isHearthError(error) || error instanceof SyntaxError) return '';
    throw error;
  }
}
