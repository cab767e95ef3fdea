declare module 'punycode/punycode.js' {
  const punycode: { decode(text: string): string };
  export default punycode;
}
