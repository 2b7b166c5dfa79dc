// The sessions of this browser, with their keys. The browser keeps a key so that no script can read it: it can only
// be used. A browser without a database for pages keeps the sessions until the tab is reloaded.

const DATABASE = "midcourse";
const STORE = "sessions";
const memory = new Map();

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("the database is blocked"));
  });
}

async function run(mode, work) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export const keyStore = {
  async put(record) {
    memory.set(record.id, record);
    await run("readwrite", (store) => store.put(record)).catch(() => {});
  },

  async all() {
    const stored = await run("readonly", (store) => store.getAll()).catch(() => []);
    return [...stored.filter(({ id }) => !memory.has(id)), ...memory.values()];
  },

  async remove(id) {
    memory.delete(id);
    await run("readwrite", (store) => store.delete(id)).catch(() => {});
  },
};
