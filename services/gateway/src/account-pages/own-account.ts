import { sizeOf } from '@hearth/limits';
import {
  type Account as FoundAccount,
  type Guardianship as FoundGuardianship,
  PeopleService,
} from '@hearth/proto/identity/v1/people';
import { type AgeBand as AgeBandNumber, AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import { type Account, type AgeBand, type Frame, type Guardianship, paths } from '@hearth/web';
import { type Context, msOf, nameOf, type Own, signedInLately, signInAfresh } from '../pages/module.ts';

/** The part of an account's page that is about the account itself. */
export type OwnAccount = Omit<Account, 'appsAsking' | 'familyWaits'>;

export async function findAccount({ ask }: Context, { person }: Own): Promise<FoundAccount> {
  return await ask(PeopleService.method.getAccount, {}, person);
}

export function accountOf(context: Context, { person }: Own, found: FoundAccount): OwnAccount {
  const { clock, limits } = context;
  const { name, handle, timeZone, ageBand, guest, email, aiShare, deletesAt } = found.facts!;
  const offer = `${paths.newPasskey}?${new URLSearchParams({ next: paths.me })}`;
  const newPasskey = signedInLately(person, clock.now()) ? offer : signInAfresh(offer);
  return {
    name,
    handle,
    timeZone,
    ageBand: ageBandOf(ageBand),
    guest,
    app: found.appName === '' ? undefined : found.appName,
    email: email === '' ? undefined : email,
    passkeys: found.passkeys.map(({ createdAt, lastUsed }) => ({ madeAtMs: msOf(createdAt) ?? 0, lastUsed })),
    newPasskey: context.passkeys ? newPasskey : undefined,
    handleDays: sizeOf(limits, 'handle_change_days'),
    oldHandleDays: sizeOf(limits, 'old_handle_days'),
    handleChangesFromMs: msOf(found.handleChangesFrom),
    guardians: found.guardians.map(guardianshipOf),
    aiShare,
    deletesAtMs: msOf(deletesAt),
  };
}

/** The frame with the account as it is by now: a change of just now shows in it. */
export function frameOfAccount({ frame }: Own, { facts }: FoundAccount): Frame {
  const { name, handle, guest, timeZone } = facts!;
  return { ...frame, person: { ...frame.person, name, guest, timeZone, ...(!guest && { handle }) } };
}

export function guardianshipOf({ guardian, childSaidEnd, guardianSaidEnd }: FoundGuardianship): Guardianship {
  const { name = '', address = '' } = guardian ?? {};
  return { name, address, childSaidEnd, guardianSaidEnd };
}

export function ageBandOf(band: AgeBandNumber): AgeBand {
  return nameOf(AgeBandSchema, band, 'adult');
}
