import type {
  Account as FoundAccount,
  Guardianship as FoundGuardianship,
} from '@hearth/proto/identity/v1/people';
import { type AgeBand as AgeBandNumber, AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import { enumWords } from '@hearth/proto-json';
import { type Account, type AgeBand, type Frame, type Guardianship, paths } from '@hearth/web';
import { type Asked, msOf, signedInLately, signInAfresh } from '../pages/module.ts';
import type { PeopleContext } from './context.ts';

/** What the page of an account shows of the account itself. */
export type OwnAccount = Omit<Account, 'appsAsking' | 'familyWaits'>;

export async function findAccount({ peers }: PeopleContext, { person }: Asked): Promise<FoundAccount> {
  return await peers.people.getAccount({}, { caller: person });
}

export function accountOf(context: PeopleContext, { person }: Asked, found: FoundAccount): OwnAccount {
  const { clock, days } = context;
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
    handleDays: days.handleChange,
    oldHandleDays: days.oldHandle,
    handleChangesFromMs: msOf(found.handleChangesFrom),
    guardians: found.guardians.map(guardianshipOf),
    aiShare,
    deletesAtMs: msOf(deletesAt),
  };
}

/** The frame with who they are by now: what they have just changed shows in it. */
export function frameOfAccount({ request: { frame } }: Asked, { facts }: FoundAccount): Frame {
  const { name, handle, guest, timeZone } = facts!;
  return { ...frame, person: { ...frame.person, name, guest, timeZone, ...(!guest && { handle }) } };
}

export function guardianshipOf({ guardian, childSaidEnd, guardianSaidEnd }: FoundGuardianship): Guardianship {
  const { name = '', address = '' } = guardian ?? {};
  return { name, address, childSaidEnd, guardianSaidEnd };
}

export function ageBandOf(band: AgeBandNumber): AgeBand {
  return (enumWords(AgeBandSchema).wordOf.get(band) ?? 'adult') as AgeBand;
}
