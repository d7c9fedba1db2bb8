import { cleanLine } from '@hearth/addresses';
import { type Text, t } from '@hearth/i18n';
import { isUuid } from '@hearth/ids';
import { shortenName } from '@hearth/people';
import { type Actor, Via } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/** The actor of an event, as every reader may see them. */
export interface KnownActor {
  /** The home's operator. */
  operator: boolean;
  /** The address of the person who acted as operator; only for the audit log, and empty with the operator key. */
  operatorAddress: string;
  /** PERSON, AI or APP; null for the operator, and if the event happened without an actor. */
  kind: CallerKind | null;
  /** uuid */
  id: string | null;
  /** uuid of the person who is responsible for the act. */
  person: string | null;
  address: string;
  name: string;
  /** Whether it is a person under 18, or an AI of theirs. */
  minor: boolean;
  /** In words; null if the event happened without an actor. */
  who: Text | string | null;
  /** uuid of the app through which it was done; empty if none. */
  app: string;
  via: Via;
}

const none = { kind: null, id: null, person: null, address: '', name: '', minor: false, who: null };

export function knownActor(by: Actor | undefined): KnownActor {
  const operator = by?.kind === CallerKind.OPERATOR;
  const way = { app: by?.app ?? '', via: by?.via ?? Via.UNSPECIFIED, operator };
  if (by === undefined || !isUuid(by.id))
    return {
      ...none,
      ...way,
      operatorAddress: operator ? cleanLine(by.address) : '',
      who: operator ? t('events.actor.operator') : null,
    };
  // An address is missing if it would identify a child, and for apps, which have none.
  const minor = by.address === '' && by.kind !== CallerKind.APP;
  const isPerson = by.kind === CallerKind.PERSON;
  const person = isPerson ? by.id : by.person;
  const name = cleanLine(minor && isPerson ? shortenName(by.name) : by.name);
  return {
    operatorAddress: '',
    kind: by.kind,
    id: by.id,
    person: isUuid(person) ? person : null,
    address: cleanLine(by.address),
    name,
    minor,
    who: inWords(by.kind, name, minor),
    ...way,
  };
}

/** The AI of a person under 18 is not named, because its name may be derived from theirs. */
function inWords(kind: CallerKind, name: string, minor: boolean): Text | string {
  if (kind !== CallerKind.AI) return name || t('events.actor.someone');
  return minor || name === '' ? t('events.actor.unnamed-ai') : t('events.actor.ai', { name });
}
