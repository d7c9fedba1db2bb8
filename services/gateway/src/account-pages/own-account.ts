import { sizeOf } from '@hearth/limits';
import {
  type Account as FoundAccount,
  type Guardianship as FoundGuardianship,
  PeopleService,
} from '@hearth/proto/identity/v1/people';
import { type AgeBand as AgeBandNumber, AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import { type ListSignInsResponse, type Passkey, SignInService } from '@hearth/proto/identity/v1/sign_in';
import {
  type Account,
  type AgeBand,
  type Frame,
  type Guardianship,
  type OwnPasskey,
  paths,
} from '@hearth/web';
import {
  type Context,
  inZoneOf,
  msOf,
  nameOf,
  type Own,
  signedInLately,
  signInAfresh,
} from '../pages/module.ts';
import { deviceOf } from '../sessions/module.ts';

/** The account page without its requests that wait. */
export type OwnAccount = Omit<Account, 'appsAsking' | 'familyWaits'>;

export async function findAccount({ ask }: Context, { person }: Own): Promise<FoundAccount> {
  return await ask(PeopleService.method.getAccount, {}, person);
}

export async function findSignIns({ ask }: Context, { person }: Own): Promise<ListSignInsResponse> {
  return await ask(SignInService.method.listSignIns, {}, person);
}

export function accountOf(
  context: Context,
  { person, exchange }: Own,
  found: FoundAccount,
  signIns: ListSignInsResponse,
): OwnAccount {
  const { clock, languages, limits } = context;
  const { name, handle, timeZone, language, ageBand, guest, email, aiShare, deletesAt } = found.facts!;
  const offer = `${paths.newPasskey}?${new URLSearchParams({ next: paths.me })}`;
  const newPasskey = signedInLately(person, clock.now()) ? offer : signInAfresh(offer);
  return {
    name,
    handle,
    timeZone,
    language,
    languages: languages.all.map(({ tag }) => tag),
    ageBand: ageBandOf(ageBand),
    guest,
    app: found.appName === '' ? undefined : found.appName,
    email: email === '' ? undefined : email,
    passkeys: signIns.passkeys.map(passkeyOf),
    sessions: signIns.sessions.map(({ id, device, network, createdAt, lastUsed, current }) => ({
      id,
      // The current browser is stored with a delay: take it from the request.
      device: current ? deviceOf(exchange.request.headers['user-agent']) : device,
      network: current ? person.network : network,
      sinceMs: msOf(createdAt) ?? 0,
      lastUsed,
      current,
    })),
    newPasskey: context.passkeys ? newPasskey : undefined,
    handleDays: sizeOf(limits, 'handle_change_days'),
    oldHandleDays: sizeOf(limits, 'old_handle_days'),
    handleChangesFromMs: msOf(found.handleChangesFrom),
    guardians: found.guardians.map(guardianshipOf),
    aiShare,
    deletesAtMs: msOf(deletesAt),
  };
}

export function passkeyOf({ id, createdAt, lastUsed }: Passkey): OwnPasskey {
  return { id, madeAtMs: msOf(createdAt) ?? 0, lastUsed };
}

/** The frame with the account's current state, including a change by this request. */
export function frameOfAccount({ config }: Context, { frame }: Own, { facts }: FoundAccount): Frame {
  const { name, handle, guest } = facts!;
  const person = { ...frame.person, name, guest, ...(!guest && { handle }) };
  return { ...frame, person: inZoneOf({ person }, facts!, config.timeZone) };
}

export function guardianshipOf({ guardian, childSaidEnd, guardianSaidEnd }: FoundGuardianship): Guardianship {
  const { name = '', address = '' } = guardian ?? {};
  return { name, address, childSaidEnd, guardianSaidEnd };
}

export function ageBandOf(band: AgeBandNumber): AgeBand {
  return nameOf(AgeBandSchema, band, 'adult');
}
