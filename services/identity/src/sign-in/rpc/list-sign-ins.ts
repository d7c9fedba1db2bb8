import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { listSessions } from '../../shared/db/sessions.ts';
import type { Context } from '../context.ts';
import { listPasskeys } from '../db/passkeys.ts';
import { signedIn } from '../domain/signed-in.ts';

/** The signed-in person's passkeys and sessions, visible only to them. */
export const listSignIns =
  ({ clock, database: { db }, limits }: Context): UnaryHandler<typeof SignInService.method.listSignIns> =>
  async (_request, { caller }) => {
    const person = signedIn(caller);
    const idleDays = sizeOf(limits, 'session_idle_days');
    const [[row], passkeys, sessions] = await Promise.all([
      findPeopleByIds(db, [person]),
      listPasskeys(db, person),
      listSessions(db, person, idleDays, nowDate(clock)),
    ]);
    if (row === undefined) throw notFound();
    return {
      ...(row.email !== null && { email: row.email }),
      passkeys: passkeys.map(({ key, createdAt, lastUsedOn }) => ({
        id: printId('pky', key),
        createdAt: timestampFromDate(createdAt),
        ...(lastUsedOn !== null && { lastUsed: lastUsedOn }),
      })),
      sessions: sessions.map(({ id, device, network, createdAt, lastUsedOn, endsAt }) => ({
        id: printId('ses', id),
        device,
        network,
        createdAt: timestampFromDate(createdAt),
        ...(lastUsedOn !== null && { lastUsed: lastUsedOn }),
        endsAt: timestampFromDate(endsAt),
        current: id === caller.session,
      })),
    };
  };
