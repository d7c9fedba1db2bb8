import { ConfigError, type HomeConfig } from '@hearth/config';
import { createLanguage, createLanguages, english, type Languages } from '@hearth/i18n';
import { type AddedCatalogues, readAdded } from '@hearth/i18n/added';

const nothingAdded: AddedCatalogues = { catalogues: new Map(), mistakes: [] };

/**
 * The languages of a home: English, and the ones in HEARTH_CATALOGUES. A message missing from a language is shown in
 * the home's own language, or else in English.
 */
export function openLanguages({
  catalogues: folder,
  language,
}: Pick<HomeConfig, 'catalogues' | 'language'>): Languages {
  const { catalogues, mistakes } = folder === undefined ? nothingAdded : read(folder);
  if (mistakes.length > 0)
    throw new ConfigError(mistakes.map((mistake) => ({ variable: 'HEARTH_CATALOGUES', ...mistake })));

  const inEnglish = new Map([[english.tag, english]]);
  for (const [tag, catalogue] of catalogues) inEnglish.set(tag, createLanguage(tag, catalogue, english));
  const own = createLanguages([...inEnglish.values()], english).of({ language });
  if (new Intl.Locale(own.tag).language !== new Intl.Locale(language).language) {
    const known = [...inEnglish.keys()].join(', ');
    throw new ConfigError([
      {
        variable: 'HEARTH_LANGUAGE',
        problem: `is "${language}", a language in which this home has no texts`,
        expected: `one of ${known}, or a folder of texts in HEARTH_CATALOGUES`,
      },
    ]);
  }
  const all = [...inEnglish.values()].map((made) =>
    made === own || made === english ? made : createLanguage(made.tag, catalogues.get(made.tag)!, own),
  );
  return createLanguages(all, own);
}

function read(folder: string): AddedCatalogues {
  try {
    return readAdded(folder);
  } catch (error) {
    const { code, path = folder } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const problem = `cannot be read (${code}: ${path})`;
    return { catalogues: new Map(), mistakes: [{ problem, expected: 'a folder of catalogues' }] };
  }
}
