// A first request to the attendee's own store, in the languages of a room.

/** @type {Record<string, (url: string, key: string) => string>} */
export const snippets = {
  curl: (url, key) => `curl -s -H 'Authorization: Bearer ${key}' '${url}/pets?limit=3'`,
  PowerShell: (url, key) => `Invoke-RestMethod -Headers @{ Authorization = 'Bearer ${key}' } '${url}/pets?limit=3'`,
  fetch: (url, key) => `const response = await fetch("${url}/pets?limit=3", {
  headers: { Authorization: "Bearer ${key}" },
});
console.log(response.status, await response.json());`,
  Go: (url, key) => `request, err := http.NewRequest("GET", "${url}/pets?limit=3", nil)
if err != nil {
\tlog.Fatal(err)
}
request.Header.Set("Authorization", "Bearer ${key}")
response, err := http.DefaultClient.Do(request)
if err != nil {
\tlog.Fatal(err)
}
defer response.Body.Close()
_, err = io.Copy(os.Stdout, response.Body)`,
  Python: (url, key) => `import json, urllib.request

request = urllib.request.Request("${url}/pets?limit=3", headers={"Authorization": "Bearer ${key}"})
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
};
