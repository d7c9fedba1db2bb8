import type { Choice } from './components/field.ts';

/** Every zone that this machine knows, by continent, as a list offers them. */
export const timeZoneGroups: readonly { label: string; choices: readonly Choice[] }[] = group(
  Intl.supportedValuesOf('timeZone'),
);

function group(zones: readonly string[]): { label: string; choices: Choice[] }[] {
  const groups = new Map<string, Choice[]>();
  for (const zone of zones) {
    const slash = zone.indexOf('/');
    if (slash < 0) continue;
    const label = zone.slice(0, slash);
    const choices = groups.get(label) ?? [];
    choices.push({
      value: zone,
      words: zone
        .slice(slash + 1)
        .replaceAll('_', ' ')
        .replaceAll('/', ', '),
    });
    groups.set(label, choices);
  }
  groups.set('Everywhere', [{ value: 'UTC', words: 'UTC' }]);
  return [...groups].map(([label, choices]) => ({ label, choices }));
}
