// Prints what a server sends of the page; its attributes are the argument, as JSON.
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Page } from './react-page.mjs';

process.stdout.write(renderToString(createElement(Page, JSON.parse(process.argv[2]))));
