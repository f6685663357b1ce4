// What Swagger UI's bundle leaves in the window; it comes without types.
interface Window {
  SwaggerUIBundle: any;
}
