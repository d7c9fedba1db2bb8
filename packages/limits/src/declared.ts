import type { CountingService } from './declared/declaration.ts';
import { accountSizes } from './declared/sizes/accounts.ts';
import { askSizes } from './declared/sizes/asks.ts';
import { commonsAndNoteSizes } from './declared/sizes/commons-and-notes.ts';
import { decisionSizes } from './declared/sizes/decisions.ts';
import { groupSizes } from './declared/sizes/groups.ts';
import { keptSizes } from './declared/sizes/kept.ts';
import { messageSizes } from './declared/sizes/messages.ts';
import { declaredUses } from './declared/uses.ts';

export {
  type CallerKind,
  callerKinds,
  countingServices,
  type SizeDeclaration,
  type UseDeclaration,
} from './declared/declaration.ts';
export { declaredUses };

/** Request fields refer to these as their bounds (hearth.rules.limit). */
export const declaredSizes = {
  ...messageSizes,
  ...groupSizes,
  ...commonsAndNoteSizes,
  ...askSizes,
  ...keptSizes,
  ...accountSizes,
  ...decisionSizes,
};

export type UseName = keyof typeof declaredUses;
export type SizeName = keyof typeof declaredSizes;
export type LimitName = UseName | SizeName;

/** The limits counted by a service. */
export type CountedBy<Service extends CountingService> = {
  [Name in UseName]: (typeof declaredUses)[Name] extends { counted: Service } ? Name : never;
}[UseName];

/** Sizes that operators cannot change. */
export type FixedName = {
  [Name in SizeName]: (typeof declaredSizes)[Name] extends { fixed: true } ? Name : never;
}[SizeName];
