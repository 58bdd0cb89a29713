using System;
using System.IO;
using System.Linq;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Prints for each token vector whether the page's code accepts it, as JSON.</summary>
static class Vectors
{
    static bool IsAccepted(JToken vector)
    {
        try
        {
            var claims = Server.Verify((string)vector["token"], (string)vector["secret"], (long)vector["now"]);
            return Server.IsBound(claims, Encoding.UTF8.GetBytes((string)vector["body"] ?? ""));
        }
        catch (Exception)
        {
            return false;
        }
    }

    static void Main(string[] arguments)
    {
        var file = JObject.Parse(File.ReadAllText(arguments[0]));
        Console.WriteLine(JsonConvert.SerializeObject(file["vectors"].Select(IsAccepted)));
    }
}
