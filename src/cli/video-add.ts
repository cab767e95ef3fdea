import type { ArgDef } from 'citty';
import Type from 'typebox';
import { checkMessage } from '../wire/check-message.ts';
import { NewVideoFields, ThumbnailFields } from '../wire/video-fields.ts';
import type { Arguments } from './arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const videoAdd: Verb = {
  words: 'video add',
  summary: 'Add a video to a folder',
  options: {
    account: accountOption,
    folder: requiredOption('Folder, by its number', 'ID'),
    title: requiredOption('Title', 'T'),
    ...fieldOptions(),
    'thumbnail-url': optionalOption('Address of the representative thumbnail', 'URL'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accountId = given.id('account');
      const thumbnails = given.has('thumbnail-url') ? [{ url: given.text('thumbnail-url') }] : [];
      for (const thumbnail of thumbnails) checkMessage(ThumbnailFields, thumbnail);
      const fields = { folderId: given.id('folder'), title: given.text('title') };
      const video = await catalog.videos.create(accountId, { ...fields, ...readFields(given) });
      const { videoId, accessKey, title } = video;
      await catalog.thumbnails.replace(accountId, accessKey, thumbnails);
      return { json: { videoId, accessKey }, lines: [`Video ${videoId} (${accessKey}): ${title}`] };
    }),
};

/** Every field that the schema knows is an option; nothing is listed twice. */
function optionalFields() {
  return Object.entries(NewVideoFields.properties).filter(
    ([name]) => name !== 'folderId' && name !== 'title',
  );
}

function fieldOptions(): Record<string, ArgDef> {
  return Object.fromEntries(
    optionalFields().map(([name, schema]) => {
      const { description = '' } = schema as { description?: string };
      return [optionOf(name), optionalOption(description, isNumeric(schema) ? 'N' : 'TEXT')];
    }),
  );
}

function readFields(given: Arguments): object {
  const present = optionalFields().filter(([name]) => given.has(optionOf(name)));
  return Object.fromEntries(
    present.map(([name, schema]) => {
      const option = optionOf(name);
      return [name, isNumeric(schema) ? given.number(option) : given.text(option)];
    }),
  );
}

function isNumeric(schema: unknown): boolean {
  return Type.IsInteger(schema) || Type.IsNumber(schema);
}

function optionOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
