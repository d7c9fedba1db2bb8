import { isMinor } from '@hearth/people';
import type { Context } from '../context.ts';
import type { AgreementParty } from '../domain/agreement.ts';
import { isFamily } from '../domain/family.ts';

/** Whether any minor's AI among the sides may agree with the others, given the current guardians. */
export async function isFamilyNow(
  { people }: Pick<Context, 'people'>,
  sides: readonly AgreementParty[],
): Promise<boolean> {
  if (!sides.some(({ minor }) => minor)) return true;
  const facts = await people.find(sides.flatMap(({ person }) => person ?? []));
  return isFamily(
    sides.map(({ person }) => {
      const known = person === null ? undefined : facts.get(person);
      const minor = known !== undefined && isMinor(known);
      return { minor, person: person ?? '', guardians: known?.guardians ?? [] };
    }),
  );
}
