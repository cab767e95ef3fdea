// Fills the examples in with this server's address and the reader's key, copies and tries them.
const storedKey = 'playmeter-key';
const keyField = document.querySelector('#key');

document.querySelector('.key-form').hidden = false;
keyField.value = sessionStorage.getItem(storedKey) ?? '';
keyField.addEventListener('input', () => {
  sessionStorage.setItem(storedKey, keyField.value);
});
document.querySelector('.key-form').addEventListener('submit', (event) => event.preventDefault());

for (const code of document.querySelectorAll('.curl code')) {
  code.textContent = code.textContent.replace('BASE_URL', location.origin);
  addCopyButton(code);
}
for (const form of document.querySelectorAll('.try')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
}

function addCopyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    // The key is in what is copied, not on the screen.
    const key = keyField.value || 'YOUR_KEY';
    await navigator.clipboard.writeText(code.textContent.replace('YOUR_KEY', key));
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  code.closest('figure').append(button);
}

async function send(form) {
  const output = form.querySelector('output');
  output.textContent = '…';
  try {
    // Only to this server: the key must not leave it.
    const address = new URL(form.elements.address.value, location.origin);
    if (address.origin !== location.origin) throw new Error('Only addresses of this server');
    const headers = keyField.value ? { 'x-api-key': keyField.value } : {};
    const response = await fetch(address, { headers });
    const text = await response.text();
    output.textContent = `${response.status} ${response.statusText}\n\n${indented(text)}`;
  } catch (error) {
    output.textContent = error.message;
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
